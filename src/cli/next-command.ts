import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import type { EvalOptions } from './eval-options.ts'

/** The command that goes on with a run. One that judges again begins anew, after its source where that was not finished. */
export function commandToGoOn(info: RunInfo, options: EvalOptions & { readonly suite?: readonly string[] }): string {
  const { run_id, source, stopped } = info
  const { runsDir, queue, output = [] } = options
  if (source !== undefined && stopped === undefined && unlistedAttempts(info) > 0)
    return shellWords('assay', 'eval', `--resume=${source}`, ...runsPlace(runsDir))
  const command = source === undefined ? ['eval', `--resume=${run_id}`] : ['grade', source, ...judgedBy(options)]
  return shellWords(
    'assay',
    ...command,
    ...queueWords(queue),
    ...runsPlace(runsDir),
    ...output.flatMap(file => ['-o', file]),
  )
}

function judgedBy({ suite = [], judge, targets }: Parameters<typeof commandToGoOn>[1]): string[] {
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
