import type { RunReader } from '../model/run-reader.ts'
import { evaluateDecisions } from '../report/outcome/decisions.ts'
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
  /** The settings of a run until it is decided. */
  readonly deciding?: object | undefined
  /** Whether attempts were left out on purpose, after a failure. */
  readonly stoppedEarly?: boolean
}

export function conclude(
  run: RunReader,
  options: ConclusionOptions,
  terminal: Pick<Terminal, 'palette' | 'pathsFrom'>,
): Conclusion {
  const outcome = outcomeOf(run)
  const judged = gateOf(outcome, options)
  const style = { palette: terminal.palette('stderr'), displayPath: terminal.pathsFrom(run.info?.root) }
  const text = summaryBlocks(outcome, style, options.quiet)
    .map(block => `\n${block}`)
    .join('')
  return { outcome, text: gateText(text, judged, options), code: exitCode(outcome, judged, options.stoppedEarly) }
}

interface JudgedGate extends GateResult {
  /** Whether the run could not show what it was asked. */
  readonly is_inconclusive: boolean
}

/** The gate of a run: its decisions, where it has some, else its verdicts. */
function gateOf(outcome: Outcome, options: GateOptions): JudgedGate {
  const gate = evaluateGate(outcome, options)
  if (outcome.decisions.length === 0) return { ...gate, is_inconclusive: false }
  const { result, reason } = evaluateDecisions(outcome.decisions)
  return { ...gate, held: result === 'passed', reason, is_inconclusive: result === 'inconclusive' }
}

/** Adds the gate where the verdicts alone do not tell how the run ended. */
function gateText(text: string, { held, reason, is_inconclusive }: JudgedGate, options: ConclusionOptions): string {
  const { min_pass_rate, fail_on, allow_flaky, deciding } = options
  if (min_pass_rate === undefined && fail_on !== 'borderline' && !allow_flaky && !deciding) return text
  const result = is_inconclusive ? 'inconclusive' : held ? 'passed' : 'failed'
  return `${text}quality gate ${result}: ${reason}\n`
}

/** Errors outrank failures. Attempts that were left out on purpose are not errors. */
function exitCode(outcome: Outcome, { held, errors, is_inconclusive }: JudgedGate, stoppedEarly = false): ExitCode {
  const isMissing = outcome.not_run > 0 && !stoppedEarly && outcome.decisions.length === 0
  if (outcome.has_bug) return EXIT.bug
  if (errors > 0 || outcome.changed.length > 0 || isMissing) return EXIT.incomplete
  if (is_inconclusive) return EXIT.inconclusive
  return held ? EXIT.ok : EXIT.failed
}
