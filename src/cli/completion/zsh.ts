import type { CompletedArgument, CompletedCommand, CompletedOption } from './command-tree.ts'
import { indented, PROGRAMS, quoted } from './quote.ts'
import { PRINT_NAMES, type Value } from './values.ts'

/** A script for zsh: a function of `_arguments` for each command. It may be evaluated, or be a file in `fpath`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef ${PROGRAMS.join(' ')}
# Completes assay and agentv in zsh. Add to ~/.zshrc, after compinit: eval "$(assay completion zsh)"

__assay_names() {
  local kind=$1
  local -a names
  shift
  names=(\${(f)"$(sh -c ${quoted(PRINT_NAMES)} sh $kind 2>/dev/null)"})
  compadd "$@" -a names
}
__assay_run_ids() { __assay_names runs "$@" }
__assay_runs() { _alternative 'runs:run:__assay_run_ids' 'files:file:_files' }
__assay_saved() { __assay_names results "$@" }
__assay_results() { _alternative 'results:result:__assay_saved' 'files:file:_files' }
__assay_targets() { __assay_names targets "$@" }
__assay_tests() { __assay_names tests "$@" }
__assay_baselines() { __assay_names baselines "$@" }
__assay_logs() { __assay_names logs "$@" }

${commands.map(command => functionOf(command, commands)).join('\n')}
if [ "$funcstack[1]" = _assay ]; then
  _assay "$@"
else
  compdef _assay ${PROGRAMS.join(' ')}
fi
`
}

function functionOf(command: CompletedCommand, all: readonly CompletedCommand[]): string {
  const { path, options, subcommands, arguments: args } = command
  const specs = options.flatMap(optionSpecs)
  if (subcommands.length === 0) {
    const lines = [...specs, ...args.map(argumentSpec)].map(quoted)
    return `${nameOf(path)}() {\n  _arguments -s -S : \\\n${indented(lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line)))}}\n`
  }
  const lines = [...specs, '1: :->command', '*:: :->rest'].map(spec => `${quoted(spec)} \\`)
  const names = subcommands.map(({ name, summary }) => quoted(`${name}:${summary}`))
  return `${nameOf(path)}() {
  local context state state_descr line
  local -a commands
  typeset -A opt_args
  _arguments -C -S -A '-*' : \\
${indented(lines)}    && return
  case $state in
  command)
    commands=(
${indented(names)}    )
    _describe -t commands command commands
    ;;
  rest)
    case $words[1] in
${indented(subcommands.map(({ name }) => caseOf(path === '' ? name : `${path} ${name}`, all)))}    esac
    ;;
  esac
}
`
}

/** Calls the function of a subcommand for each of its names. */
function caseOf(path: string, all: readonly CompletedCommand[]): string {
  const aliases = all.find(each => each.path === path)?.aliases ?? []
  const names = [path, ...aliases].map(each => each.slice(each.lastIndexOf(' ') + 1))
  return `${names.join('|')}) ${nameOf(path)} ;;`
}

function nameOf(path: string): string {
  return ['_assay', ...path.split(' ').filter(name => name !== '')].join('_').replaceAll('-', '_')
}

function optionSpecs({ names, summary, takes, value }: CompletedOption): string[] {
  const about = `[${escaped(summary)}]`
  if (takes === 'nothing') return names.map(name => `(${names.join(' ')})${name}${about}`)
  const what = `${messageOf(value)}:${actionOf(value)}`
  if (takes === 'optional') return names.map(name => `${name}=-${about}::${what}`)
  return names.map(name => `*${name}${name.startsWith('--') ? '=' : '+'}${about}:${what}`)
}

function argumentSpec({ name, isVariadic, value }: CompletedArgument): string {
  return `${isVariadic ? '*' : ''}:${escaped(name)}:${actionOf(value)}`
}

/** The heading of what is offered. */
function messageOf(value: Value): string {
  return typeof value === 'string' ? value : 'value'
}

function actionOf(value: Value): string {
  if (value === undefined) return ' '
  if (typeof value !== 'string') return `(${value.join(' ')})`
  if (value === 'files') return '_files'
  return value === 'folders' ? '_files -/' : `__assay_${value}`
}

/** Escapes what means something in a specification of `_arguments`. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:$`]/g, '\\$&')
}
