import json
import sys

answer = json.loads(json.load(sys.stdin)["answer"])
print(json.dumps({"score": 1.0 if isinstance(answer.get("age"), int) else 0.0}))
