"""Is the review easy to read? Not empty, not long, every code block closed."""

import json
import sys

MOST_WORDS = 300

answer = json.load(sys.stdin)["answer"].strip()
words = len(answer.split())

hits, misses = [], []
(hits if answer.count("```") % 2 == 0 else misses).append("every code block is closed")
(hits if words <= MOST_WORDS else misses).append(f"{words} words, at most {MOST_WORDS}")

if not answer:
    hits, misses = [], ["the review is empty"]

score = len(hits) / (len(hits) + len(misses))
print(json.dumps({"score": score, "hits": hits, "misses": misses}))
