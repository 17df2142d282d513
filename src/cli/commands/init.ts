import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { InitState } from '../../operations/init.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example } from '../options.ts'

export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description('Write a small suite, its targets and schemas for editors. Existing files are kept.')
    .argument('[folder]', 'output folder (default: the current folder)', '.')
    .option('--json', 'print what was written as one JSON document')
    .addHelpText('after', example('assay init', 'assay init my-evals'))
    .action((folder, options) => context.run(() => writeFiles(folder, options, context)))
}

interface ShownFile {
  readonly path: string
  readonly state: InitState
}

async function writeFiles(
  folder: string,
  { json }: { readonly json?: boolean },
  { host, terminal }: CommandContext,
): Promise<ExitCode> {
  const { init } = await import('../../operations/init.ts')
  const { files, problem } = await init(folder, host)
  const shown = files.map(({ path, state }) => ({ path: terminal.path(path), state }))
  const lines = shown.map(lineOf).join('')
  if (problem) {
    terminal.err(`${lines}Cannot write ${printableLine(`${terminal.path(problem.path)}: ${problem.message}`)}\n`)
    return EXIT.userError
  }
  if (json) terminal.json(dataOf(shown))
  else terminal.out(`${lines}\nNext: assay eval\n`)
  return EXIT.ok
}

function dataOf(files: readonly ShownFile[]) {
  const pathsOf = (...states: InitState[]) =>
    files.filter(({ state }) => states.includes(state)).map(({ path }) => path)
  return { written: pathsOf('written'), updated: pathsOf('updated'), kept: pathsOf('kept', 'edited', 'newer') }
}

const WORDS: Readonly<Record<InitState, readonly [string, string]>> = {
  written: ['wrote', ''],
  updated: ['wrote', ' (updated)'],
  kept: ['kept ', ' (already exists)'],
  edited: ['kept ', ' (edited: delete it to get the current version)'],
  newer: ['kept ', ' (written by a newer version)'],
}

function lineOf({ path, state }: ShownFile): string {
  const [verb, note] = WORDS[state]
  return `${verb} ${printableLine(path)}${note}\n`
}
