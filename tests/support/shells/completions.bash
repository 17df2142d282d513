# Prints what bash offers: completions.bash SCRIPT WORD..., split as bash splits a line; the last word is the current one.
source "$1"
shift
COMP_WORDS=(assay "$@")
COMP_CWORD=$#
COMP_LINE="assay $*"
COMP_POINT=${#COMP_LINE}
_assay
printf '%s\n' "${COMPREPLY[@]}"
