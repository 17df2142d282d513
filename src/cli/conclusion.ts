import type { Palette } from '../lib/palette.ts'
import { wrapIndented } from '../lib/text/wrap.ts'
import type { Calibration } from '../model/calibration.ts'
import type { RunReader } from '../model/run-reader.ts'
import { type AgainstComparison, compareAgainst, comparisonSections } from '../report/compare/against.ts'
import { runArms } from '../report/compare/arms.ts'
import { type CompareGateResult, isGated } from '../report/compare/compare-gate.ts'
import type { ComparedRun } from '../report/compare/compared-run.ts'
import type { Comparison } from '../report/compare/comparison.ts'
import { type ComparisonGateOptions, evaluateArmGate, gatesOf } from '../report/compare/comparison-gates.ts'
import { gateResultText } from '../report/compare/text/run-comparison-text.ts'
import { correctedOutcome, correctedRates } from '../report/outcome/corrected/corrected-rates.ts'
import type { TargetCorrection } from '../report/outcome/corrected/correction.ts'
import { evaluateDecisions } from '../report/outcome/decisions.ts'
import { evaluateGate, type GateOptions, type GateResult } from '../report/outcome/gate.ts'
import { markCounts, unexpectedText } from '../report/outcome/marked-tests.ts'
import { type Outcome, withCarried } from '../report/outcome/run-outcome.ts'
import { runSlices } from '../report/slices/run-slices.ts'
import { summaryBlocks } from '../report/summary.ts'
import { COMPARE_CODES } from './compare-codes.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal/terminal.ts'

/** How a run ended: for people, and as an exit code. */
export interface Conclusion {
  readonly outcome: Outcome
  readonly text: string
  readonly code: ExitCode
}

export interface ConclusionOptions extends GateOptions, ComparisonGateOptions {
  readonly quiet?: boolean | undefined
  /** What the summary is sliced by. */
  readonly by?: string | undefined
  /** The settings of a run until it is decided. */
  readonly deciding?: object | undefined
  /** Whether attempts were left out on purpose, after a failure. */
  readonly stoppedEarly?: boolean
  /** Saved results that the run is compared with. */
  readonly reference?: ComparedRun | undefined
  /** The calibrations of the project. */
  readonly calibrations?: readonly Calibration[] | undefined
}

export function conclude(
  run: RunReader,
  options: ConclusionOptions,
  terminal: Pick<Terminal, 'palette' | 'pathsFrom' | 'columns'>,
): Conclusion {
  const outcome = correctedOutcome(run, options.calibrations)
  const arms = runArms(run, outcome)
  const { reference } = options
  const against = reference && compareAgainst(run, { ...options, reference })
  const gate = gateOf(outcome, options, correctionsFor(run, outcome, options))
  const gates = { gate, comparisons: comparisonGates(outcome, arms, against, options) }
  const palette = terminal.palette('stderr')
  const style = { palette, columns: terminal.columns(), displayPath: terminal.pathsFrom(run.info?.root) }
  const text = summaryBlocks(outcome, style, {
    quiet: options.quiet,
    sections: comparisonSections(arms, against),
    slices: runSlices(run, outcome, options.by),
  })
    .map(block => `\n${block}`)
    .join('')
  const gateLines = gateText(gates, hasPlainGate(outcome, options), options, palette)
  return { outcome, text: `${text}${wrapIndented(gateLines, style.columns)}`, code: exitCode(outcome, gates, options) }
}

interface JudgedGate extends GateResult {
  /** Whether the run could not show what it was asked. */
  readonly is_inconclusive: boolean
}

/** What `--gate corrected` needs to know of every target, also of those without a calibration. */
function correctionsFor(run: RunReader, { tests, corrections }: Outcome, options: ConclusionOptions) {
  const { gate, calibrations = [] } = options
  return gate === 'corrected' ? (corrections ?? correctedRates(run, tests, calibrations)) : []
}

/** The gate of a run: its decisions, where it has some, else its verdicts. Decisions are about verdicts as judged. */
function gateOf(outcome: Outcome, options: GateOptions, corrections: readonly TargetCorrection[]): JudgedGate {
  const gate = evaluateGate(withCarried(outcome), options, corrections)
  if (outcome.decisions.length === 0 || options.gate === 'corrected') return { ...gate, is_inconclusive: false }
  const { result, reason } = evaluateDecisions(outcome.decisions)
  const passes = markCounts(outcome).unexpected_passes
  const unexpected = passes > 0 ? `, ${unexpectedText(passes)}` : ''
  return {
    ...gate,
    held: result === 'passed' && unexpected === '',
    reason: `${reason}${unexpected}`,
    is_inconclusive: result === 'inconclusive' && unexpected === '',
  }
}

interface Gates {
  readonly gate: JudgedGate
  /** The gates on comparisons, with saved results and with control arms; empty if none is given. */
  readonly comparisons: readonly CompareGateResult[]
}

function comparisonGates(
  outcome: Outcome,
  arms: readonly Comparison[],
  against: AgainstComparison | undefined,
  options: ComparisonGateOptions,
): CompareGateResult[] {
  if (!isGated(gatesOf(options))) return []
  const ofArms = arms.length > 0 || !against ? evaluateArmGate(arms, outcome, options) : undefined
  return [...(against ? [against.gate] : []), ...(ofArms ? [ofArms] : [])]
}

/** Whether only comparisons decide: they replace the gate that no test fails. */
function doComparisonsDecide({ comparisons }: Gates, { min_pass_rate, fail_on, allow_flaky }: GateOptions): boolean {
  return comparisons.length > 0 && min_pass_rate === undefined && fail_on === undefined && !allow_flaky
}

/** Whether the verdicts alone tell how the run ended: all of them count, and any failure fails it. */
function hasPlainGate({ tests, carried, quarantined }: Outcome, options: ConclusionOptions): boolean {
  const { min_pass_rate, fail_on, allow_flaky, deciding } = options
  const isPlain = min_pass_rate === undefined && fail_on !== 'borderline' && !allow_flaky && !deciding
  return isPlain && !carried && quarantined.length === 0 && tests.every(({ is_control, mark }) => !is_control && !mark)
}

/** Names the gates that the verdicts alone do not tell. */
function gateText(gates: Gates, isPlain: boolean, options: ConclusionOptions, palette: Palette): string {
  const { held, reason, is_inconclusive } = gates.gate
  const result = is_inconclusive ? 'inconclusive' : held ? 'passed' : 'failed'
  // Beside another gate, its own failure has to be named.
  const isTold = isPlain && gates.comparisons.length === 0
  const first = isTold || doComparisonsDecide(gates, options) ? '' : `quality gate ${result}: ${reason}\n`
  return `${first}${gates.comparisons.map(gate => gateResultText(gate, palette)).join('')}`
}

/** Errors outrank failures, except in a comparison, where they count. Attempts left out on purpose are not errors. */
function exitCode(outcome: Outcome, gates: Gates, options: ConclusionOptions): ExitCode {
  const { gate, comparisons } = gates
  const isMissing = outcome.not_run > 0 && !options.stoppedEarly && outcome.decisions.length === 0
  if (outcome.has_bug) return EXIT.bug
  if (comparisons.some(({ result }) => result === 'failed')) return EXIT.failed
  if (gate.errors > 0 || outcome.changed.length > 0 || isMissing) return EXIT.incomplete
  if (!doComparisonsDecide(gates, options)) {
    if (gate.is_inconclusive) return EXIT.inconclusive
    if (!gate.held) return EXIT.failed
  }
  const open = comparisons.find(({ result }) => result !== 'passed')
  return open ? COMPARE_CODES[open.result] : EXIT.ok
}
