#!/bin/sh
# Stands in for Claude Code: uses a skill if its description has the first word of the query.
# TRIGGER_LOG: a file to append a line to. TRIGGER_COST: cost of an answer. TRIGGER_CRASH: crashes on queries with this text.
# TRIGGER_PAUSE: seconds before the answer. A shell starts faster than Node.
query=$(cat)
skill=$(ls "$CLAUDE_CONFIG_DIR/skills")
description=$(sed -n 's/^description: //p' "$CLAUDE_CONFIG_DIR/skills/$skill/SKILL.md")
[ -z "$TRIGGER_LOG" ] || printf '{"query":"%s","cwd":"%s"}\n' "$query" "$PWD" >>"$TRIGGER_LOG"
if [ -n "$TRIGGER_CRASH" ]; then
  case $query in *"$TRIGGER_CRASH"*) exit 3 ;; esac
fi
[ -z "$TRIGGER_PAUSE" ] || sleep "$TRIGGER_PAUSE"
say() {
  printf '{"type":"assistant","message":{"role":"assistant","content":[%s]}}\n' "$1"
}
printf '{"type":"system","subtype":"init","model":"stand-in"}\n'
case $description in
  *"${query%%:*}"*)
    say '{"type":"tool_use","id":"t1","name":"Skill","input":{"skill":"'"$skill"'"}}'
    # An agent that is not stopped here would work on, and cost more.
    sleep 5
    [ -z "$TRIGGER_LOG" ] || printf '{"query":"%s","is_late":true}\n' "$query" >>"$TRIGGER_LOG"
    ;;
esac
say '{"type":"text","text":"Done."}'
printf '{"type":"result","subtype":"success","is_error":false,"result":"Done.","total_cost_usd":%s}\n' "${TRIGGER_COST-0.01}"
