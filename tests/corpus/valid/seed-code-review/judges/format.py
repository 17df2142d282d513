import json
import sys

answer = json.load(sys.stdin)["answer"]
print(json.dumps({"score": 1.0 if answer.strip() else 0.0}))
