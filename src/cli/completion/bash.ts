import type { CompletedCommand, CompletedOption } from './command-tree.ts'
import { indented, PROGRAMS, quoted } from './quote.ts'
import { PRINT_NAMES, type Value } from './values.ts'

/** A script for bash, also for the old one of macOS: tables of the commands, and a function that walks along the line. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# Completes assay and agentv in bash. Add to ~/.bashrc: eval "$(assay completion bash)"

_assay_names() {
  sh -c ${quoted(PRINT_NAMES)} sh "$1" 2>/dev/null
}

# Sets what may follow a command: its subcommands, its options, and the values of its arguments.
_assay_command() {
  subcommands='' options='' arguments=()
  case $1 in
${indented(commands.map(commandCase))}  esac
}

# Sets the value of an option of a command: its kind, behind = if the value may be left out.
_assay_option() {
  value=''
  case "$1 $2" in
${indented(optionCases(commands))}  esac
}
${WALK}
complete -o default -F _assay ${PROGRAMS.join(' ')}
`
}

function commandCase({ path, aliases, subcommands, options, arguments: args }: CompletedCommand): string {
  const names = subcommands.map(({ name }) => name).join(' ')
  const flags = options.flatMap(offered).join(' ')
  const values = args.map(({ value, isVariadic }) => quoted(`${kindOf(value)}${isVariadic ? ' ...' : ''}`)).join(' ')
  const paths = [path, ...aliases].map(quoted).join('|')
  return `${paths}) subcommands=${quoted(names)} options=${quoted(flags)} arguments=(${values}) ;;`
}

/** The names of an option, and with \`=\` where a value only follows that. */
function offered({ names, takes }: CompletedOption): string[] {
  return takes === 'optional'
    ? names.flatMap(name => (name.startsWith('--') ? [name, `${name}=`] : [name]))
    : [...names]
}

/** One case for each value, with all options that have it. */
function optionCases(commands: readonly CompletedCommand[]): string[] {
  const byValue = new Map<string, string[]>()
  for (const { path, aliases, options } of commands) {
    for (const { names, takes, value } of options) {
      if (takes === 'nothing') continue
      const key = `${takes === 'optional' ? '=' : ''}${kindOf(value)}`
      const patterns = [path, ...aliases].flatMap(each => names.map(name => quoted(`${each} ${name}`)))
      byValue.set(key, [...(byValue.get(key) ?? []), ...patterns])
    }
  }
  return [...byValue].map(([value, patterns]) => `${patterns.join('|')}) value=${quoted(value)} ;;`)
}

function kindOf(value: Value): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : `words ${value.join(' ')}`
}

/** Nothing that is read from files is expanded: \`compgen -W\` would. */
const WALK = `
# Offers the words that begin like the current one, without what bash does not replace.
_assay_offer() {
  local word
  for word in "$@"; do
    case $word in "$current"*) COMPREPLY+=("\${word#"$kept"}") ;; esac
  done
}

_assay_offer_value() {
  local kind=$1 name
  case $kind in
    files) ;;
    folders) compopt -o dirnames +o default 2>/dev/null ;;
    nothing) compopt +o default 2>/dev/null ;;
    words*) for name in \${kind#words}; do _assay_offer "$2$name"; done ;;
    *)
      while IFS= read -r name; do _assay_offer "$2$name"; done < <(_assay_names "$kind")
      case $kind in runs | results) ;; *) compopt +o default 2>/dev/null ;; esac
      ;;
  esac
}

_assay() {
  local IFS=$' \\t\\n' line=() last=-1 index word own
  # Bash splits words at = and :
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if ((last >= 0)) && [[ -n $word && ( $word == [=:]* || \${COMP_WORDS[index - 1]} == *[=:] ) ]]; then
      line[last]+=$word
    else
      line[++last]=$word
    fi
  done
  own=\${COMP_WORDS[COMP_CWORD]}
  case $own in [=:]*) own='' ;; esac
  local current=\${line[last]} kept=\${line[last]%"$own"}
  local path='' position=0 pending='' is_rest='' subcommands options arguments value
  COMPREPLY=()
  _assay_command ''
  for ((index = 0; index < last; index++)); do
    word=\${line[index]}
    if [[ -n $pending ]]; then
      pending=''
    elif [[ $word == -- ]]; then
      is_rest=1
    elif [[ $word == -* && -z $is_rest ]]; then
      _assay_option "$path" "$word"
      [[ -z $value || $value == =* ]] || pending=$value
    elif [[ $position == 0 && " $subcommands " == *" $word "* ]]; then
      path=\${path:+$path }$word
      _assay_command "$path"
    elif [[ -z $path && $position == 0 ]]; then
      _assay_command "$word"
      [[ -n $options ]] && path=$word || position=1
    else
      position=$((position + 1))
    fi
  done
  if [[ -n $pending ]]; then
    _assay_offer_value "$pending" ''
  elif [[ $current == --*=* && -z $is_rest ]]; then
    _assay_option "$path" "\${current%%=*}"
    _assay_offer_value "\${value#=}" "\${current%%=*}="
  elif [[ $current == -* && -z $is_rest ]]; then
    compopt +o default 2>/dev/null
    _assay_offer $options
    [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  elif [[ -n $subcommands && $position == 0 ]]; then
    compopt +o default 2>/dev/null
    _assay_offer $subcommands
  else
    index=$position
    while ((index > 0)) && [[ -z \${arguments[index]:-} ]]; do index=$((index - 1)); done
    value=\${arguments[index]:-nothing}
    [[ $index == "$position" || $value == *' ...' ]] || value=nothing
    _assay_offer_value "\${value% ...}" ''
  fi
}
`
