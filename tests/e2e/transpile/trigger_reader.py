"""Reads a trigger set and asks an agent each query, in the way that tools for the descriptions of skills do.

The set is a list of objects with `query` and `should_trigger`, read in the encoding of the machine. Every query is sent
first, to `claude` on PATH; a query that cannot be sent counts as not triggered. Then the labels are looked at.
"""

import argparse
import json
import subprocess
import sys


def triggered(query, skill):
    try:
        command = ["claude", "-p", query, "--output-format", "stream-json", "--verbose"]
        printed = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, ValueError, UnicodeError, subprocess.CalledProcessError):
        return False
    for line in printed.splitlines():
        event = json.loads(line)
        if event.get("type") != "assistant":
            continue
        for block in event["message"]["content"]:
            if block["type"] == "tool_use":
                named = block["input"].get("skill", "") + block["input"].get("file_path", "")
                return block["name"] in ("Skill", "Read") and skill in named
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--eval-set", required=True)
    parser.add_argument("--skill-name", required=True)
    options = parser.parse_args()
    with open(options.eval_set) as file:
        items = json.load(file)
    asked = [(item, triggered(item["query"], options.skill_name)) for item in items]
    results = [
        {"query": item["query"], "should_trigger": item["should_trigger"], "triggered": was} for item, was in asked
    ]
    passed = sum(result["triggered"] == result["should_trigger"] for result in results)
    json.dump({"results": results, "passed": passed, "total": len(results)}, sys.stdout)


main()
