import { resolve } from 'node:path'
import { nodeHost } from '../host/node.ts'
import { printable, safeJson } from '../lib/printable.ts'
import { didYouMean } from '../lib/suggestion.ts'
import { wildcard } from '../lib/wildcard.ts'
import type { Result } from '../model/result.ts'
import { findRun, NoRun } from '../record/find-run.ts'
import { readRun } from '../record/read-run.ts'
import { explain } from '../report/explain.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { runPlace } from './run-place.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

interface ExplainOptions {
  readonly runsDir?: string
  readonly json?: boolean
}

/** `assay explain`: how the verdict of a test came about. */
export async function explainCommand(run: string, test: string, options: ExplainOptions): Promise<ExitCode> {
  const host = nodeHost()
  try {
    const { runs_folder } = await runPlace(options.runsDir, host)
    const reader = await readRun(await findRun(run, runs_folder, host), host)
    const pattern = wildcard(test)
    const found: Result[] = []
    const ids = new Set<string>()
    for (const result of reader.results()) {
      ids.add(result.test_id)
      if (pattern.test(result.test_id)) found.push(result)
    }
    const root = reader.info?.root
    reader.close()
    if (found.length === 0) {
      terminal.err(
        `No result of a test ${printable(test)} in this run: ${printable(didYouMean(test, ids, 'see the ids with `assay list`'))}\n`,
      )
      return EXIT.nothing
    }
    const shown = (file: string) => (root === undefined ? file : shownPath(resolve(root, file)))
    terminal.out(
      options.json
        ? safeJson(`${JSON.stringify(found, null, 2)}\n`)
        : found.map(result => explain(result, shown)).join('\n'),
    )
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof NoRun)) throw error
    terminal.err(`${printable(error.message)}\n`)
    return EXIT.mistakes
  }
}
