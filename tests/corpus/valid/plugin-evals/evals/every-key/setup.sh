cp "$(dirname "$0")/session.jsonl" .
