import type { EvalOptions } from './eval-options.ts'

/** The command that goes on with a run. */
export function commandToResume(id: string, { runsDir, output = [] }: EvalOptions): string {
  return shellWords('assay', 'eval', `--resume=${id}`, ...runsPlace(runsDir), ...output.flatMap(file => ['-o', file]))
}

/** The command that shows how the verdict of a test came about. */
export function commandToExplain(id: string, test: string, { runsDir }: EvalOptions): string {
  return shellWords('assay', 'explain', id, test, ...runsPlace(runsDir))
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
