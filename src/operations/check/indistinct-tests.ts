import { quoteCode } from '../../lib/text/quote.ts'
import type { Test } from '../../model/test.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import { answerOf, EMPTY, isNonAnswer } from './probe-answers.ts'
import { ANY_TARGET, type ProbedTest, type Prober, targetsOf } from './prober.ts'
import type { Reference } from './references.ts'

/** A test with its reference. */
interface Referenced extends ProbedTest {
  readonly reference: Reference
  readonly words: ReadonlySet<string>
}

export interface ComparedTests {
  readonly findings: readonly DiagnosticInput[]
  /** How many pairs of tests were compared, of how many that could be. */
  readonly pairs: number
  readonly all_pairs: number
}

/** Up to this many tests, all pairs are compared; in larger suites, each test with as many others, spread evenly. */
const MOST_COMPARED = 60

/** Finds groups of tests in a suite that accept the references of each other. */
export async function indistinctTests(
  tested: readonly (ProbedTest & { readonly references: readonly Reference[] })[],
  prober: Prober,
): Promise<ComparedTests> {
  const candidates = await candidatesIn(tested, prober)
  const groups = new Map<Referenced, Referenced[]>()
  let pairs = 0
  for (const [index, one] of candidates.entries()) {
    for (const step of stepsIn(candidates.length)) {
      const other = candidates[(index + step) % candidates.length]
      // With all pairs, each comes up once from either side.
      if (!other || (candidates.length <= MOST_COMPARED && index + step >= candidates.length)) continue
      pairs++
      if (groups.get(one)?.includes(other) || !mayDiffer(one, other)) continue
      if ((await accepts(one, other, prober)) && (await accepts(other, one, prober))) join(groups, one, other)
    }
  }
  const findings = [...new Set(groups.values())].map(findingOf)
  return { findings, pairs, all_pairs: (candidates.length * (candidates.length - 1)) / 2 }
}

/** The distances in the list at which tests are compared. */
function stepsIn(size: number): readonly number[] {
  const most = Math.min(size - 1, MOST_COMPARED)
  const all = size <= MOST_COMPARED ? size - 1 : Math.floor((size - 1) / 2)
  return [...new Set(Array.from({ length: most }, (_, index) => 1 + Math.floor((index * all) / most)))]
}

/** Tests with one reference that has content, which ask for an answer. */
async function candidatesIn(
  tested: readonly (ProbedTest & { readonly references: readonly Reference[] })[],
  prober: Prober,
): Promise<Referenced[]> {
  const found: Referenced[] = []
  for (const { references, ...each } of tested) {
    const [reference] = references
    if (!reference || targetsOf(each).length > 1 || isNonAnswer(reference.answer.text)) continue
    const [own, empty] = [reference.answer, answerOf({ text: EMPTY.text })].map(answer =>
      prober.verdict(each, answer, ANY_TARGET),
    )
    if ((await own)?.passes && !(await empty)?.can_pass)
      found.push({ ...each, reference, words: wordsIn(reference.answer.text) })
  }
  return found
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Whether two tests should tell the answers apart: they ask something else, and neither answer contains the other. */
function mayDiffer(one: Referenced, other: Referenced): boolean {
  const isConversation =
    one.test.conversation_id !== undefined && one.test.conversation_id === other.test.conversation_id
  return !isConversation && !sharesChecks(one.test, other.test) && !isPart(one, other) && !isPart(other, one)
}

/** Whether all checks of both are those of the suite, which look at what all answers have in common. */
function sharesChecks(one: Test, other: Test): boolean {
  return one.checks.length === other.checks.length && one.checks.every(check => other.checks.includes(check))
}

function isPart({ words }: Referenced, { words: others }: Referenced): boolean {
  return [...words].every(word => others.has(word))
}

async function accepts(one: Referenced, other: Referenced, prober: Prober): Promise<boolean> {
  const { answer } = other.reference
  return (await prober.verdict(one, answer, ANY_TARGET)).passes
}

function join(groups: Map<Referenced, Referenced[]>, one: Referenced, other: Referenced): void {
  const joined = [...new Set([...(groups.get(one) ?? [one]), ...(groups.get(other) ?? [other])])]
  for (const each of joined) groups.set(each, joined)
}

const MOST_NAMED = 5

function findingOf(group: readonly Referenced[]): DiagnosticInput {
  const sorted = group.map(({ test }) => test)
  const names = sorted.slice(0, MOST_NAMED).map(({ id }) => quoteCode(id))
  const more = sorted.length - names.length
  return {
    code: 'indistinct-tests',
    at: (sorted[0] as Test).at,
    message: `the tests ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} accept the reference answers of each other`,
    hint: 'look for what sets their answers apart',
  }
}
