import type { RunReader } from '../model/run-reader.ts'
import { evaluateGate, type GateOptions, type GateResult } from '../report/outcome/gate.ts'
import { type Outcome, outcomeOf } from '../report/outcome/run-outcome.ts'
import { summaryBlocks } from '../report/summary.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal/terminal.ts'

/** How a run ended: for people, and as an exit code. */
export interface Conclusion {
  readonly outcome: Outcome
  readonly text: string
  readonly code: ExitCode
}

export interface ConclusionOptions extends GateOptions {
  readonly quiet?: boolean | undefined
  /** Whether attempts were left out on purpose, after a failure. */
  readonly stoppedEarly?: boolean
}

export function conclude(
  run: RunReader,
  options: ConclusionOptions,
  terminal: Pick<Terminal, 'palette' | 'pathsFrom'>,
): Conclusion {
  const outcome = outcomeOf(run)
  const judged = evaluateGate(outcome, options)
  const style = { palette: terminal.palette('stderr'), displayPath: terminal.pathsFrom(run.info?.root) }
  const text = summaryBlocks(outcome, style, options.quiet)
    .map(block => `\n${block}`)
    .join('')
  return { outcome, text: gateText(text, judged, options), code: exitCode(outcome, judged, options.stoppedEarly) }
}

/** Adds the gate where the verdicts alone do not tell how the run ended. */
function gateText(text: string, { held, reason }: GateResult, options: GateOptions): string {
  const { min_pass_rate, fail_on, allow_flaky } = options
  if (min_pass_rate === undefined && fail_on !== 'borderline' && !allow_flaky) return text
  return `${text}quality gate ${held ? 'passed' : 'failed'}: ${reason}\n`
}

/** Errors outrank failures. Attempts that were left out on purpose are not errors. */
function exitCode(outcome: Outcome, { held, errors }: GateResult, stoppedEarly = false): ExitCode {
  if (outcome.has_bug) return EXIT.bug
  if (errors > 0 || outcome.changed.length > 0 || (outcome.not_run > 0 && !stoppedEarly)) return EXIT.incomplete
  return held ? EXIT.ok : EXIT.failed
}
