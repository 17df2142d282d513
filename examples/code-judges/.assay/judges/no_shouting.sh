# A custom judge: `type: no_shouting`. It reads the JSON with a plain pattern.
if grep -q '"answer":"[^"]*[A-Z][A-Z][A-Z]'; then
  echo '{"score": 0, "misses": ["a word in capitals"]}'
else
  echo '{"score": 1, "hits": ["no word in capitals"]}'
fi
