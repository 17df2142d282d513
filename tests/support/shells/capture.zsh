# Makes the completion of zsh print its matches between marks instead of offering them.
autoload -Uz compinit
compinit -u -d $COMPDUMP
bindkey '^I' complete-word
zstyle ':completion:*' list-grouped false
zstyle ':completion:*' insert-tab false
zstyle ':completion:*' list-separator ''
begin() { print -r -- '<begin>' }
finish() { print -r -- '<end>' }
compprefuncs=(begin)
comppostfuncs=(finish)
compadd() {
  # A call that only filters words for another function.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a matches
  builtin compadd -A matches "$@"
  (( $#matches )) && print -rl -- $matches
  builtin compadd "$@"
}
