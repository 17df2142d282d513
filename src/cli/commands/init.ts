import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { CiSystem } from '../../operations/ci-workflow.ts'
import type { InitState } from '../../operations/init.ts'
import { stepsToGoLive, TEMPLATES, type Template } from '../../operations/init-templates.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example } from '../options.ts'

const SYSTEMS: readonly CiSystem[] = ['github', 'gitlab']

interface Options {
  readonly ci?: CiSystem
  readonly template?: Template
  readonly json?: boolean
}

export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description('Write a small suite, its targets and schemas for editors. Existing files are kept.')
    .argument('[folder]', 'output folder (default: the current folder)', '.')
    .option('--json', 'print what was written as one JSON document')
    .addOption(
      new Option('--ci <system>', 'also write a workflow that runs the suites on each change').choices(SYSTEMS),
    )
    .addOption(
      new Option('--template <kind>', 'write a suite for this kind of agent, which passes offline').choices(TEMPLATES),
    )
    .addHelpText(
      'after',
      example('assay init', 'assay init my-evals', 'assay init --template python', 'assay init --ci github'),
    )
    .action((folder, options) => context.run(() => writeFiles(folder, options, context)))
}

interface ShownFile {
  readonly path: string
  readonly state: InitState
}

async function writeFiles(
  folder: string,
  { ci, template, json }: Options,
  { host, terminal }: CommandContext,
): Promise<ExitCode> {
  const { init } = await import('../../operations/init.ts')
  const { files, problem, missing, include } = await init(folder, host, { ci, template })
  const shown = files.map(({ path, state }) => ({ path: terminal.path(path), state }))
  const lines = shown.map(lineOf).join('')
  if (problem) {
    terminal.err(`${lines}Cannot write ${printableLine(`${terminal.path(problem.path)}: ${problem.message}`)}\n`)
    return EXIT.userError
  }
  const others = missing?.map(terminal.path)
  if (json) terminal.json({ ...dataOf(shown), include, missing: others })
  else terminal.out(`${lines}${includeText(include)}\n${nextText(others, template)}`)
  return EXIT.ok
}

/** What to do next. A template whose files are only partly written is no suite that passes. */
function nextText(missing: readonly string[] = [], template?: Template): string {
  if (template === undefined) return 'Next: assay eval\n'
  if (missing.length === 0) return `Next: assay eval\n${stepsToGoLive(template)}\n`
  const names = missing.map(printableLine).join(', ')
  return `The template is not complete: ${names} existed with other content.\nFor a suite that passes at once, name a new folder: assay init my-evals --template ${template}\n`
}

/** What to do where the CI system has a configuration, which is never edited. */
function includeText(file: string | undefined): string {
  if (file === undefined) return ''
  return `\n.gitlab-ci.yml exists and was not changed. To run the new file, add to it:\ninclude:\n  - local: ${file}\n`
}

function dataOf(files: readonly ShownFile[]) {
  const pathsOf = (...states: InitState[]) =>
    files.filter(({ state }) => states.includes(state)).map(({ path }) => path)
  return {
    written: pathsOf('written'),
    updated: pathsOf('updated'),
    kept: pathsOf('kept', 'edited', 'newer'),
  }
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
