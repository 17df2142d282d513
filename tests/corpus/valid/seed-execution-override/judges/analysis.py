import json
import sys

answer = json.load(sys.stdin)["answer"]
print(json.dumps({"score": 1.0 if "mean" in answer else 0.0}))
