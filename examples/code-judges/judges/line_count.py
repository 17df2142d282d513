from assay_judge import judge


@judge
def line_count(data):
    """As many lines as the check asks for, none of them too long."""
    wanted = data["config"]["lines"]
    lines = data["answer"].strip().split("\n")
    return {
        "assertions": [
            {"text": f"has {wanted} lines", "passed": len(lines) == wanted, "evidence": f"{len(lines)} lines"},
            {"text": "no line is long", "passed": all(len(line) <= 40 for line in lines)},
        ]
    }
