echo '{"score": 0}'
