import { nodeHost } from '../host/node.ts'
import { printable, safeJson } from '../lib/printable.ts'
import { didYouMean } from '../lib/suggestion.ts'
import { wildcard } from '../lib/wildcard.ts'
import { runPlace } from '../record/run-place.ts'
import { explain } from '../report/explain.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { openRun } from './open-run.ts'
import { orMistake } from './or-mistake.ts'
import { shownFrom, terminal } from './terminal/terminal.ts'

interface ExplainOptions {
  readonly runsDir?: string
  readonly json?: boolean
  readonly verbose?: boolean
}

/** `assay explain`: how the verdict of a test came about. */
export function explainCommand(run: string, test: string, options: ExplainOptions): Promise<ExitCode> {
  return orMistake(async () => {
    const host = nodeHost()
    const { runs_folder } = await runPlace(options.runsDir, host)
    const reader = await openRun(run, runs_folder, host)
    const pattern = wildcard(test)
    const facts = [...reader.facts()]
    const found = facts
      .filter(({ test_id }) => pattern.test(test_id))
      .flatMap(({ attempt_id }) => reader.result(attempt_id) ?? [])
    reader.close()
    if (found.length === 0) {
      const ids = new Set(facts.map(({ test_id }) => test_id))
      const hint = didYouMean(test, ids, 'see the ids with `assay list`')
      terminal.err(`No result of a test ${printable(test)} in this run: ${printable(hint)}\n`)
      return EXIT.nothing
    }
    const shown = shownFrom(reader.info?.root)
    const text = () => found.map(result => explain(result, shown, options.verbose)).join('\n')
    terminal.out(options.json ? safeJson(`${JSON.stringify(found, null, 2)}\n`) : text())
    return EXIT.ok
  })
}
