import { quoteCode } from '../../lib/text/quote.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Test } from '../../model/test.ts'
import { counts, formatScore } from '../../model/verdict.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import type { CheckTrials } from './check-findings.ts'
import { ANY_TEXTS, answerOf, EMPTY, isNonAnswer, NON_ANSWERS, UNRELATED } from './probe-answers.ts'
import { type KnownVerdict, type ProbedTest, type Prober, targetsOf } from './prober.ts'
import { leavesOf, type Reference } from './references.ts'

/** Finds tests that reject their reference, or accept what is no answer. One finding of each kind for a test. */
export async function testFindings(
  tested: ProbedTest,
  references: readonly Reference[],
  trials: CheckTrials,
  prober: Prober,
): Promise<DiagnosticInput[]> {
  const found = new Map<string, DiagnosticInput>()
  for (const target of targetsOf(tested)) {
    const verdictOn = (text: string) => prober.verdict(tested, answerOf({ text }), target)
    for (const reference of references) {
      const verdict = await prober.verdict(tested, reference.answer, target)
      if (!verdict.can_pass) add(found, brokenTest(tested.test, reference, verdict))
    }
    if (leavesOf(tested.test.checks).every(check => trials.isVacuous(check))) continue
    const accepted = await acceptedNonAnswer(references, verdictOn)
    if (accepted !== undefined) add(found, acceptsNonAnswer(tested.test, accepted))
  }
  const callless = await acceptsNoCalls(tested, prober)
  return [...found.values(), ...(callless ? [callless] : [])]
}

function add(found: Map<string, DiagnosticInput>, finding: DiagnosticInput): void {
  const key = `${finding.code} ${finding.at.file}`
  if (!found.has(key)) found.set(key, finding)
}

export function brokenTest({ id }: Test, { at, name }: Reference, { results, score }: KnownVerdict): DiagnosticInput {
  const missed = results.filter(result => counts(result) && !result.error && !result.passed)
  const [first] = missed
  const why = first ? `: ${reasonOf(first)}${missed.length > 1 ? `, and ${missed.length - 1} more` : ''}` : ''
  const points = score === null ? '' : ` (score ${formatScore(score)})`
  return {
    code: 'broken-test',
    at,
    ...('location' in at ? { part: 'key' as const } : {}),
    message: `the test ${quoteCode(id)} rejects ${name}${points}${why}`,
    hint: 'correct the reference or the check; if `expected_output` only describes a good answer, write one in `.assay/golden`',
  }
}

function reasonOf({ name, misses }: EvaluatorResult): string {
  const [miss] = misses
  return miss === undefined ? `${name} fails` : `${name}: ${miss}`
}

interface Accepted {
  readonly name: string
  readonly score: number | null
}

/** The first answer without content that a test accepts although it asks for one. */
async function acceptedNonAnswer(
  references: readonly Reference[],
  verdictOn: (text: string) => Promise<KnownVerdict>,
): Promise<Accepted | undefined> {
  const hasContent = references.length > 0 && references.every(({ answer }) => !isNonAnswer(answer.text))
  const empty = await verdictOn(EMPTY.text)
  const asks = empty.results.some(result => counts(result) && !result.error && !result.passed && result.weight > 0)
  // A test that only forbids something accepts an empty answer, and may.
  if (empty.passes) return hasContent || asks ? { name: EMPTY.name, score: empty.score } : undefined
  if (!hasContent) return empty.can_pass ? undefined : acceptedIfAll(ANY_TEXTS, verdictOn)
  for (const { name, text } of NON_ANSWERS) {
    const { passes, score } = await verdictOn(text)
    if (passes) return { name, score }
  }
  return acceptedIfAll(UNRELATED, verdictOn)
}

async function acceptedIfAll(
  texts: readonly string[],
  verdictOn: (text: string) => Promise<KnownVerdict>,
): Promise<Accepted | undefined> {
  let score: number | null = null
  for (const text of texts) {
    const verdict = await verdictOn(text)
    if (!verdict.passes) return undefined
    score = verdict.score
  }
  return { name: 'texts about something else', score }
}

function acceptsNonAnswer({ id, at }: Test, { name, score }: Accepted): DiagnosticInput {
  const points = score === null ? '' : ` (score ${formatScore(score)})`
  return {
    code: 'accepts-non-answer',
    at,
    message: `the test ${quoteCode(id)} passes with ${name}${points}`,
    hint: 'make the check that asks for the answer `required`, or look for more than it does now',
  }
}

/** A test whose checks ask for tool calls, if all of them accept an agent that calls none. */
async function acceptsNoCalls(tested: ProbedTest, prober: Prober): Promise<DiagnosticInput | undefined> {
  const asking = leavesOf(tested.test.checks).filter(
    ({ evaluator, config, negate }) => !negate && evaluator.probing?.asksForCalls?.(config),
  )
  const [first] = asking
  if (!first) return undefined
  for (const check of asking) if ((await prober.accepts(tested, check, answerOf({}))) !== true) return undefined
  return {
    code: 'accepts-no-calls',
    at: first.at,
    message: `the check ${quoteCode(first.name)} of ${quoteCode(tested.test.id)} expects tool calls, but accepts an agent that calls no tool`,
    hint: 'use another `mode`, or add `minimums` or a check of type `tool_used`',
  }
}
