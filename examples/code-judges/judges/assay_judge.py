"""Judges in Python: copy this file beside your own.

    from assay_judge import judge

    @judge
    def polite(data):
        ok = "please" in data["answer"].lower()
        return {"score": 1 if ok else 0, "reasoning": "looked for a please"}

The function gets what Assay sends as a dict and gives back a dict:

    score      a number from 0 to 1 (or leave it out and give `assertions`)
    hits       what speaks for the answer, a list of strings
    misses     what speaks against it
    reasoning  why, in words
    details    anything else that is to be recorded
    assertions a list of {"text", "passed", "evidence"}; without a score, the share that passed is the score

Keys of the input: test_id, question, criteria, answer, reference_answer, input_messages, expected_messages,
output_messages, has_transcript, input_files, note, metadata, target, trial, workspace_path, trace_summary, token_usage,
cost_usd, duration_ms, config. Every key is always there. What is not known is empty: "" for a text, [] for a list, None
for a figure. An answer that is text only is one assistant message, and has_transcript is False.

An exception ends the program, and the check is an error with the last lines of the traceback: never a score of 0.
Python 3.8 or later; nothing to install.
"""

import json
import sys


def judge(function):
    """Runs a function as a judge: JSON from stdin, JSON to stdout. Whatever it prints itself goes to stderr."""
    data = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        result = function(data)
    finally:
        sys.stdout = stdout
    sys.stdout.write(json.dumps(result) + "\n")
    return function
