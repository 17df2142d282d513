import type { CompletedArgument, CompletedCommand, CompletedOption } from './command-tree.ts'
import { fishQuoted, PROGRAMS } from './quote.ts'
import { PRINT_NAMES, type Value } from './values.ts'

const [PROGRAM, ...OTHERS] = PROGRAMS

/** A script for fish: a line of `complete` for each option, argument and subcommand, on the condition that its command is typed. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.flatMap(({ path, aliases }) => [path, ...aliases]).filter(path => path !== '')
  const aliases = commands.flatMap(({ path, aliases }) => aliases.map(alias => [alias, path] as const))
  return `# Completes assay and agentv in fish. Add to ~/.config/fish/config.fish: assay completion fish | source

function __assay_names
    sh -c ${fishQuoted(PRINT_NAMES)} sh $argv[1] 2>/dev/null
end

# Whether a value follows an option of a command.
function __assay_takes_value
    switch "$argv[1] $argv[2]"
        case ${commands.flatMap(valued).map(fishQuoted).join(' ')}
            return 0
    end
    return 1
end

# Whether a command is typed and, if it is given, this or a later position of its arguments is next.
function __assay_at
    set -l path ''
    set -l position 0
    set -l skip 0
    set -l rest 0
    set -l typed (commandline -opc)
    set -e typed[1]
    for word in $typed
        set -l next (string trim -- "$path $word")
        if test $skip = 1
            set skip 0
        else if test "$word" = --
            set rest 1
        else if test $rest = 0; and string match -q -- '-*' $word
            __assay_takes_value "$path" "$word"; and set skip 1
        else if test $position = 0; and contains -- "$next" ${paths.map(fishQuoted).join(' ')}
            set path $next
            switch $path
${aliases.map(([alias, path]) => `                case ${fishQuoted(alias)}\n                    set path ${fishQuoted(path)}\n`).join('')}            end
        else
            set position (math $position + 1)
        end
    end
    test "$path" = "$argv[1]"; or return 1
    switch "$argv[2]"
        case ''
            return 0
        case '*+'
            test $position -ge (string trim -r -c + -- $argv[2])
        case '*'
            test $position = $argv[2]
    end
end

complete -c ${PROGRAM} -e
complete -c ${PROGRAM} -f
${commands.flatMap(linesOf).join('\n')}
${OTHERS.map(name => `complete -c ${name} -w ${PROGRAM}`).join('\n')}
`
}

function valued({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, takes }) => (takes === 'value' ? names.map(name => `${path} ${name}`) : []))
}

function linesOf({ path, options, subcommands, arguments: args }: CompletedCommand): string[] {
  return [
    ...subcommands.map(({ name, summary }) => line(`${fishQuoted(path)} 0`, `-a ${name}`, summary)),
    ...args.map((argument, index) => argumentLine(path, argument, index)),
    ...options.map(option => line(fishQuoted(path), optionFlags(option), option.summary)),
  ]
}

function line(at: string, what: string, summary: string): string {
  return `complete -c ${PROGRAM} -n ${fishQuoted(`__assay_at ${at}`)} ${what} -d ${fishQuoted(summary)}`
}

function argumentLine(path: string, { value, isVariadic, name }: CompletedArgument, index: number): string {
  const files = value === 'runs' || value === 'results' || value === 'files' ? ' -F' : ''
  const what = value === 'files' ? '' : offered(value)
  return line(`${fishQuoted(path)} ${index}${isVariadic ? '+' : ''}`, `${what}${files}`.trim(), name)
}

function optionFlags({ names, takes, value }: CompletedOption): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  if (takes === 'nothing') return flags
  if (takes === 'optional') return `${flags} ${offered(value)}`.trim()
  return value === 'files' ? `${flags} -r -F` : `${flags} -x ${offered(value)}`.trim()
}

function offered(value: Value): string {
  if (value === undefined || value === 'files') return ''
  if (typeof value !== 'string') return `-a ${fishQuoted(value.join(' '))}`
  return value === 'folders' ? `-a '(__fish_complete_directories)'` : `-a '(__assay_names ${value})'`
}
