# Prints what zsh offers: completions.zsh SCRIPT LINE. An interactive zsh completes the line, and prints each match.
zmodload zsh/zpty || exit 1
export SCRIPT=$1
zpty inner zsh -f -i
zpty -w inner 'PROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; source '${(q)0:A:h}'/capture.zsh; source $SCRIPT; print -r -- "<""ready>"'
zpty -r -m inner text '*<ready>*'
zpty -w -n inner "$2"$'\t'
zpty -r -m inner text '*<end>*'
print -r -- "${${text##*<begin>}%%<end>*}" | tr -d '\r' | grep .
zpty -d inner
