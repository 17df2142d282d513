import type { RunInfo } from '../model/run-info.ts'
import type { EvalOptions } from './eval-options.ts'

/** The command that goes on with a run; one that judges again has to begin anew, by the same suite and judge. */
export function commandToGoOn(
  { run_id, source }: RunInfo,
  options: EvalOptions & { readonly suite?: readonly string[] },
): string {
  const { runsDir, queue, output = [] } = options
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
