# A judge of one's own: `type: no_shouting`. The JSON is read with nothing but a pattern.
if grep -q '"answer":"[^"]*[A-Z][A-Z][A-Z]'; then
  echo '{"score": 0, "misses": ["a word in capitals"]}'
else
  echo '{"score": 1, "hits": ["no word in capitals"]}'
fi
