import { nodeHost } from '../host/node.ts'
import { wildcard } from '../lib/patterns.ts'
import { printable, terminalSafeJson } from '../lib/text/escape.ts'
import { didYouMean } from '../lib/text/suggestion.ts'
import type { ResultFacts, RunReader } from '../model/run-reader.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { explainAttempt } from '../report/explain.ts'
import { partialRunText } from '../report/outcome/partial-run.ts'
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
    const { runs_folder } = await findProjectFolders(options.runsDir, host)
    const reader = await openRun(run, runs_folder, host)
    const pattern = wildcard(test)
    const facts = [...reader.facts()]
    const found = facts
      .filter(({ test_id }) => pattern.test(test_id))
      .flatMap(({ attempt_id }) => reader.result(attempt_id) ?? [])
    reader.close()
    if (found.length === 0) {
      terminal.err(`${printable(`No result of a test ${test} in this run${reasonOf(test, reader, facts)}`)}\n`)
      return EXIT.nothing
    }
    const shown = shownFrom(reader.info?.root)
    const text = () => found.map(result => explainAttempt(result, shown, options.verbose)).join('\n')
    terminal.out(options.json ? terminalSafeJson(`${JSON.stringify(found, null, 2)}\n`) : text())
    return EXIT.ok
  })
}

/** Why a run has no such test: it is partial, or the id is another one. */
function reasonOf(test: string, run: RunReader, facts: readonly ResultFacts[]): string {
  const part = partialRunText(run, facts.length)
  const ids = new Set(facts.map(({ test_id }) => test_id))
  if (part === undefined) return `: ${didYouMean(test, ids, 'see the ids with `assay list`')}`
  const hint = didYouMean(test, ids, '')
  return `, which is partial: ${part}${hint === '' ? '' : `; ${hint}`}`
}
