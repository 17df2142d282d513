import json
import sys

data = json.load(sys.stdin)
print(json.dumps({"score": 1.0 if len(data["answer"].split()) <= data["config"]["max"] else 0.0}))
