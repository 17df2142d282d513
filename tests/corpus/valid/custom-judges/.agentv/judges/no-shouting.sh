grep -q '!!!' && echo '{"score": 0}' || echo '{"score": 1}'
