import json
import sys

answer = json.load(sys.stdin)["answer"].lower()
print(json.dumps({"score": 1.0 if "injection" in answer else 0.0}))
