import { resolve } from 'node:path'
import type { Selection } from '../evaluate.ts'
import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import type { EvalOptions } from './eval-options.ts'
import { shownPath } from './terminal/terminal.ts'

/** How the run that is resumed or judged again is named on the command line. */
export interface RunName {
  /** Its id, or its path where it is not in the runs folder. */
  readonly run: string
  /** Whether its suites and targets have to be named with it. */
  readonly is_foreign: boolean
}

type Given = EvalOptions & { readonly suite?: readonly string[] }

/** The command that resumes a run. One that judges again starts over, after its source where that was not finished. */
export function commandToGoOn(info: RunInfo, options: Given, name: RunName): string {
  const { source, stopped } = info
  const { runsDir, queue, output = [] } = options
  if (source !== undefined && stopped === undefined && unlistedAttempts(info) > 0)
    return shellWords('assay', 'eval', ...namedSuites(info, name), `--resume=${name.run}`, ...runsPlace(runsDir))
  const command =
    source === undefined
      ? ['eval', ...namedSuites(info, name), `--resume=${name.run}`]
      : ['grade', name.run, ...judgedBy(options)]
  return shellWords(
    'assay',
    ...command,
    ...queueWords(queue),
    ...runsPlace(runsDir),
    ...output.flatMap(file => ['-o', file]),
  )
}

/** The suites and the targets file of a run whose run.json cannot name them. */
function namedSuites({ options, suites, root }: RunInfo, { is_foreign }: RunName): string[] {
  if (!is_foreign) return []
  const { paths, eval_patterns, targets_file } = options as Partial<Selection>
  const named = paths && !eval_patterns ? paths : suites.map(({ file }) => resolve(root, file))
  return [...named.map(shownPath), ...(targets_file === undefined ? [] : ['--targets', shownPath(targets_file)])]
}

function judgedBy({ suite = [], judge, targets }: Given): string[] {
  return [
    ...suite.flatMap(file => ['--suite', file]),
    ...(judge === undefined ? [] : ['--judge', judge]),
    ...(targets === undefined ? [] : ['--targets', targets]),
  ]
}

/** The command that shows how the verdict of a test came about. */
export function commandToExplain(id: string, test: string, { runsDir }: EvalOptions): string {
  return shellWords('assay', 'explain', id, test, ...runsPlace(runsDir))
}

/** As it was typed, where no password is in it. */
function queueWords(queue: string | undefined): string[] {
  if (queue === undefined) return []
  const isPlain = queue !== '' && !queue.includes('@')
  return isPlain ? ['--queue', queue] : ['--queue']
}

function runsPlace(runsDir: string | undefined): string[] {
  return runsDir === undefined ? [] : ['--runs-dir', runsDir]
}

function shellWords(...words: readonly string[]): string {
  return words.map(quotedForShell).join(' ')
}

function quotedForShell(word: string): string {
  return /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
