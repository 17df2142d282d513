import type { Argument, Option } from 'commander'

/** What a shell offers as a value: words, names in the project, files or folders. Undefined if it knows nothing to offer. */
export type Value = readonly string[] | NameKind | 'files' | 'folders' | undefined

/** Names that are looked up when a shell asks for them. */
export type NameKind = 'runs' | 'results' | 'targets' | 'tests' | 'baselines' | 'logs'

const BY_OPTION: Readonly<Record<string, Value>> = {
  '--target': 'targets',
  '--control': 'targets',
  '--judge': 'targets',
  '--proposer': 'targets',
  '--test-id': 'tests',
  '--against': 'results',
}

/** By the word in `<…>` or `[…]` of an option or argument. */
const BY_PLACEHOLDER: Readonly<Record<string, Value>> = {
  run: 'runs',
  runs: 'runs',
  test: 'tests',
  log: 'logs',
  logs: 'logs',
  folder: 'folders',
  folders: 'folders',
  file: 'files',
  path: 'files',
  paths: 'files',
  suite: 'files',
}

export function optionValue({ flags, long, argChoices }: Option): Value {
  const placeholder = /[<[]=?(\w+)/.exec(flags)?.[1] ?? ''
  return argChoices ?? BY_OPTION[long ?? ''] ?? BY_PLACEHOLDER[placeholder]
}

const BY_COMMAND: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  targets: { name: 'targets' },
  compare: { runs: 'results' },
  'baseline show': { name: 'baselines' },
  'baseline rm': { names: 'baselines' },
}

export function argumentValue(command: string, argument: Argument): Value {
  const name = argument.name()
  return argument.argChoices ?? BY_COMMAND[command]?.[name] ?? BY_PLACEHOLDER[name]
}

/**
 * Prints names of a kind for all shells, in POSIX sh, which starts faster than Node. It reads names from files by their usual
 * form: they are suggestions. Names with characters that mean something to a shell are left out.
 */
export const PRINT_NAMES = `nearest() {
  folder=$PWD
  until [ -e "$folder/$1" ]; do
    [ -n "$folder" ] || return 1
    folder=\${folder%/*}
  done
  printf "%s" "$folder/$1"
}
entries() {
  [ -n "$1" ] || return
  for entry in "$1"/*"$2"; do
    [ -e "$entry" ] || continue
    name=\${entry%"$2"}
    printf "%s\\n" "\${name##*/}"
  done
}
values() {
  key=$1
  shift
  for file in "$@"; do
    [ -f "$file" ] && sed -n "s/^[ -]*$key: *[\\"']*\\([^\\"' #]*\\).*/\\1/p" "$file"
  done
}
case $1 in
  runs) echo latest; entries "$(nearest .assay/runs)" / ;;
  results) echo latest; entries "$(nearest .assay/baselines)" .json; entries "$(nearest .assay/runs)" / ;;
  baselines) entries "$(nearest .assay/baselines)" .json ;;
  logs) entries "$(nearest .co/evals)" .yaml ;;
  targets) values name "$(nearest .assay/targets.yaml)" ;;
  tests) values id ./EVAL.y*ml ./*.eval.y*ml ./*/EVAL.y*ml ./*/*.eval.y*ml ;;
esac | grep "^[[:alnum:]_][[:alnum:]._@+/-]*$" | sort -u`
