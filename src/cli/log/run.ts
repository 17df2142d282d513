import { printable, terminalSafeJson } from '../../lib/text/escape.ts'
import { loggedRunFrom } from '../../log/logged-run.ts'
import type { Result } from '../../model/result.ts'
import { NotRun } from '../../run/ask.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { watchSignals } from '../signals.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { type AskingOptions, findAsker } from './asking.ts'
import { type LogOptions, type OpenLogs, withLogs } from './open-logs.ts'

interface RunOptions extends LogOptions, AskingOptions {
  readonly turn?: readonly string[]
}

/** `assay log run`: one conversation by hand, answered and logged. */
export function logRun(input: string, options: RunOptions): Promise<ExitCode> {
  return withLogs(options, async logs => {
    const { host } = logs
    const abort = host.clock.createAbortController()
    const asker = await findAsker({ ...options, isJudged: false }, abort, host)
    if (!asker) return EXIT.mistakes
    const signals = watchSignals(() => abort.abort(new NotRun('stopped')))
    const inputs = [input, ...(options.turn ?? [])]
    const results: Result[] = []
    try {
      for await (const result of asker.talk({
        id: 'log',
        system_prompt: '',
        turns: inputs.map(input => ({ input })),
      })) {
        results.push(result)
        if (!options.json && result.answer !== null) terminal.out(printable(`${result.answer.trimEnd()}\n`))
      }
    } catch (error) {
      if (!(error instanceof NotRun)) throw error
    } finally {
      signals.stop()
    }
    return signals.code ?? logged(results, inputs.length, asker.facts, options, logs)
  })
}

/** A conversation that came to its end is logged; of another one nothing is. */
async function logged(
  results: readonly Result[],
  turns: number,
  targets: readonly Record<string, unknown>[],
  { json }: RunOptions,
  { folder, host }: OpenLogs,
): Promise<ExitCode> {
  const last = results.at(-1)
  if (!last || last.answer === null || results.length < turns) {
    terminal.err(
      printable(
        `No answer to turn ${results.length}: ${last?.error?.message ?? 'it was not asked'}. Nothing is logged.\n`,
      ),
    )
    return last?.error?.code === 'bug' ? EXIT.bug : EXIT.incomplete
  }
  const run = loggedRunFrom([...results.slice(0, -1), last], {
    host,
    cwd: host.cwd,
    ended: host.clock.timestamp(),
    targets: [...targets],
  })
  const written = await folder.add(run)
  const file = shownPath(folder.fileOf(written.name))
  if (json) terminal.out(terminalSafeJson(`${JSON.stringify({ ...written, file, turns: run.turns }, null, 2)}\n`))
  else terminal.err(printable(`Logged as run ${written.run} of ${written.name} (${file})\n`))
  return EXIT.ok
}
