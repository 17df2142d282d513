import { printableLine } from '../../lib/text/escape.ts'
import { formatPercent, formatShare, plural } from '../../lib/text/format.ts'
import type { Decision, Evidence } from '../../model/decision.ts'
import { formatSigned } from '../compare/text/format-values.ts'

/** What the decisions of a run say about its quality gate. */
export interface DecisionGate {
  readonly result: 'passed' | 'failed' | 'inconclusive'
  /** Reason as text. */
  readonly reason: string
}

const SHOWN_GOOD: readonly Decision['decision'][] = ['better', 'above', 'reached']
const SHOWN_BAD: readonly Decision['decision'][] = ['worse', 'below', 'missed']

/** Passes if everything is shown to be good; what is not shown does not pass. */
export function evaluateDecisions(decisions: readonly Decision[]): DecisionGate {
  const reason = decisions.map(gateReason).join(', ')
  if (decisions.some(({ decision }) => SHOWN_BAD.includes(decision))) return { result: 'failed', reason }
  const isShown = decisions.length > 0 && decisions.every(({ decision }) => SHOWN_GOOD.includes(decision))
  return { result: isShown ? 'passed' : 'inconclusive', reason }
}

/** `with-skill is better`, `default is above 80 %`: the notes of the run say the rest. */
function gateReason({ target, threshold, decision }: Decision): string {
  const name = printableLine(target)
  if (decision === 'better' || decision === 'worse') return `${name} is ${decision}`
  if (threshold === undefined) return `nothing is shown about ${name}`
  const required = formatPercent(threshold)
  const words: Partial<Record<Decision['decision'], string>> = {
    above: `${name} is above ${required}`,
    below: `${name} is below ${required}`,
    reached: `${name} reaches ${required}`,
    missed: `${name} misses ${required}`,
  }
  return words[decision] ?? `neither above nor below ${required} is shown for ${name}`
}

/** `better: with-skill than without-skill, +0.120 [+0.040 to +0.210], decided after 119 of at most 250 pairs`. */
export function decisionText(decision: Decision): string {
  if (decision.control !== undefined) return pairsText(decision, decision.control)
  const { target, threshold = 0, after, of, passed = 0, estimate, low, high } = decision
  const name = printableLine(target)
  const required = formatPercent(threshold)
  const tests = `after ${after} of ${plural(of, 'test')}`
  const interval = `${formatPercent(estimate)} [${formatShare(low)}–${formatShare(high)}], ${passed} passed`
  const texts: Partial<Record<Decision['decision'], string>> = {
    above: `above ${required}: pass rate of ${name} ${interval}, decided ${tests}`,
    below: `below ${required}: pass rate of ${name} ${interval}, decided ${tests}`,
    reached: `certain ${tests}: the pass rate of ${name} reaches ${required}, whatever the others do`,
    missed: `certain ${tests}: the pass rate of ${name} misses ${required}, whatever the others do`,
  }
  return texts[decision.decision] ?? `not shown: pass rate of ${name} ${interval} against ${required}, ${tests}`
}

const WORDS: Readonly<Record<string, string>> = { better: 'better', worse: 'worse' }

function pairsText(decision: Decision, control: string): string {
  const { target, after, of, improved = 0, worsened = 0, estimate, low, high, is_mixed, errors_decide } = decision
  const word = WORDS[decision.decision] ?? 'inconclusive'
  const arms = `${printableLine(target)} against ${printableLine(control)}`
  const difference = `${formatSigned(estimate)} [${formatSigned(low)} to ${formatSigned(high)}]`
  const counts = `${improved} better and ${worsened} worse`
  const end = decision.decision === 'not-shown' ? 'not decided' : 'decided'
  const mixed = is_mixed ? `; some tests are ${word}, the mean is not shown to be` : ''
  const errors = errors_decide ? '; with and without errored attempts the pairs say different things' : ''
  return `${word}: ${arms} ${difference}, ${end} after ${after} of at most ${plural(of, 'pair')} (${counts})${mixed}${errors}`
}

/** How far a decision is, for progress: `with-skill against without-skill: 42 of at most 250 pairs, 9 better, 3 worse`. */
export function evidenceText({ target, control, after, of, ...evidence }: Evidence): string {
  const name = printableLine(target)
  if (control === undefined)
    return `${name}: ${after} of at most ${plural(of, 'test')}, ${evidence.passed ?? 0} passed${distanceText(evidence, 'test')}`
  const counts = `${evidence.improved ?? 0} better, ${evidence.worsened ?? 0} worse`
  return `${name} against ${printableLine(control)}: ${after} of at most ${plural(of, 'pair')}, ${counts}${distanceText(evidence, 'pair')}`
}

function distanceText({ distance, decision }: Pick<Evidence, 'distance' | 'decision'>, unit: string): string {
  if (decision !== undefined) return decision === 'not-shown' ? ', not shown' : `, ${decision}`
  return distance === undefined ? '' : `, at least ${plural(distance, unit)} more`
}
