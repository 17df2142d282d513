"""Does the review name the broken condition, and does it fix the loop?"""

import json
import re
import sys

FINDS = re.compile(r"\bi\s*<\s*0\b")
MENDS = re.compile(
    r"\bi\s*<\s*items\.length\b"  # the condition put right
    r"|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+of\s+items\b"  # or a loop that needs none
    r"|\bitems\s*\.\s*(?:reduce|forEach)\s*\("
)

answer = json.load(sys.stdin)["answer"]

hits, misses = [], []
(hits if FINDS.search(answer) else misses).append("points at `i < 0`")
(hits if MENDS.search(answer) else misses).append("walks through all items")

print(json.dumps({"score": len(hits) / 2, "hits": hits, "misses": misses}))
