"""Reads a folder of `assay report --format skill-creator` as the scripts of skill-creator do.

What would stop one of them, or make it count something wrongly without a word, is an error here. What both see is
printed as JSON. Files are opened in the encoding of the machine, as the scripts open them.
"""
import json
import os
import sys


def fail(place, what):
    sys.exit(f"{place}: {what}")


def load(path):
    with open(path) as file:
        return json.load(file)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def folders(parent, prefix=""):
    names = sorted(name for name in os.listdir(parent) if name.startswith(prefix))
    return [os.path.join(parent, name) for name in names if os.path.isdir(os.path.join(parent, name))]


def number_in(folder):
    """The aggregator takes the part between the first two hyphens of a name."""
    try:
        return int(os.path.basename(folder).split("-")[1])
    except ValueError:
        fail(folder, "has no number where the aggregator looks for one")


def metadata_in(folder):
    metadata = load(os.path.join(folder, "eval_metadata.json"))
    if not is_whole(metadata.get("eval_id")):
        fail(folder, "eval_id is not an integer: ids cannot be sorted")
    for key in ("eval_name", "prompt"):
        if not isinstance(metadata.get(key), str):
            fail(folder, f"{key} is not a text")
    if not all(isinstance(text, str) for text in metadata["assertions"]):
        fail(folder, "assertions are not texts")
    return metadata


def graded(run):
    """What the aggregator takes from a run."""
    grading = load(os.path.join(run, "grading.json"))
    if "timing" in grading:
        fail(run, "grading.json has a timing block: the aggregator then never looks at timing.json for tokens")
    summary = grading.get("summary", {})
    if not is_number(summary.get("pass_rate")) or not 0 <= summary["pass_rate"] <= 1:
        fail(run, "summary.pass_rate is not a number from 0 to 1: the aggregator counts 0, or stops")
    for key in ("expectations", "assertion_results"):
        for item in grading.get(key, []):
            if not isinstance(item.get("text"), str) or not isinstance(item.get("evidence"), str):
                fail(run, f"{key}: an item without text or evidence")
            if not isinstance(item.get("passed"), bool):
                fail(run, f"{key}: an item that neither passed nor failed")
    items = grading.get("expectations", [])
    passed = sum(item["passed"] for item in items)
    counts = (summary.get("passed"), summary.get("failed"), summary.get("total"))
    if not items or counts != (passed, len(items) - passed, len(items)):
        fail(run, "the summary does not count the expectations")
    if grading.get("assertion_results") != items or abs(summary["pass_rate"] - passed / len(items)) > 1e-9:
        fail(run, "the grades contradict each other")
    timing = load(os.path.join(run, "timing.json"))
    for key in ("total_tokens", "duration_ms", "total_duration_seconds"):
        if key in timing and not is_number(timing[key]):
            fail(run, f"{key} is not a number")
    metrics = grading.get("execution_metrics", {})
    for key, value in metrics.items():
        if key != "tool_calls" and not is_number(value):
            fail(run, f"execution_metrics.{key} is not a number")
    if not timing.get("total_tokens") and "output_chars" in metrics:
        fail(run, "the tokens are unknown, and the aggregator takes output_chars for them")
    return {
        "run_number": number_in(run),
        "pass_rate": summary["pass_rate"],
        "tokens": timing.get("total_tokens", 0),
        "time_seconds": timing.get("total_duration_seconds", 0.0),
    }


def aggregated(iteration):
    """Runs by configuration, in the order in which the aggregator meets them."""
    found = {}
    evals = folders(iteration, "eval-")
    if not evals:
        fail(iteration, "no folders of evals")
    for folder in evals:
        eval_id = metadata_in(folder)["eval_id"]
        if eval_id != number_in(folder):
            fail(folder, "is called by another number than it has")
        for configuration in folders(folder):
            for run in folders(configuration, "run-"):
                runs = found.setdefault(os.path.basename(configuration), [])
                runs.append({"eval_id": eval_id, **graded(run)})
    # Ids are sorted, which ids of several types cannot be.
    sorted({run["eval_id"] for runs in found.values() for run in runs})
    return found


def viewed(iteration, folder=None, found=None):
    """What the viewer shows: every folder with outputs, by the ids of their evals."""
    folder, found = folder or iteration, [] if found is None else found
    outputs = os.path.join(folder, "outputs")
    if not os.path.isdir(outputs):
        for child in folders(folder):
            viewed(iteration, child, found)
        return found
    metadata = metadata_in(folder)
    name = os.path.relpath(folder, iteration).replace("/", "-").replace("\\", "-")
    texts = {}
    for file in sorted(os.listdir(outputs)):
        # The viewer shows the files of the folder itself, without those that describe the run.
        if file in ("transcript.md", "user_notes.md", "metrics.json") or os.path.isdir(os.path.join(outputs, file)):
            continue
        with open(os.path.join(outputs, file), errors="replace", newline="") as text:
            texts[file] = text.read()
    # The viewer recognizes the sides by these words in a name.
    sides = [side for side in ("with_skill", "without_skill", "new_skill", "old_skill") if side in name]
    if len(sides) != 1:
        fail(name, f"the viewer takes it for {sides}")
    found.append({"id": name, "eval_id": metadata["eval_id"], "prompt": metadata["prompt"], "outputs": texts})
    found.sort(key=lambda run: (run["eval_id"], run["id"]))
    return found


json.dump({"aggregated": aggregated(sys.argv[1]), "viewed": viewed(sys.argv[1])}, sys.stdout)
