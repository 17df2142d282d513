import { compositeKey, groupBy } from '../../lib/collections.ts'
import { mean } from '../../lib/statistics/means.ts'
import { isQuarantined } from '../../model/mark.ts'
import { gradeAlike } from '../../model/shared-checks.ts'
import { variantIn } from '../../model/variant.ts'
import { type TestOutcome, testOutcome } from '../outcome/test-outcome.ts'

export interface TestName {
  readonly suite: string
  readonly test_id: string
}

/**
 * An unchanged test on both sides, with the mean of its attempts by the checks that apply to both sides; errors and
 * missed required checks count as 0.
 */
export interface Pair extends TestName {
  readonly before: number
  readonly after: number
  readonly difference: number
  readonly outcomes: Match
}

/** A test whose input or checks changed, or that no check grades on both sides: its scores are not comparable. */
export interface ChangedTest extends TestName {
  readonly outcomes: Match
}

/** The matched tests of two sides. */
export interface PairedTests {
  readonly pairs: readonly Pair[]
  /** Only on the second side. */
  readonly new: readonly TestName[]
  /** Only on the first side. */
  readonly gone: readonly TestName[]
  readonly changed: readonly ChangedTest[]
  /** In quarantine on the second side, or only on the first and in quarantine there: no evidence. */
  readonly quarantined: readonly TestName[]
  /** Results that the second side has carried over, and that the first has too: no evidence. */
  readonly carried: readonly TestName[]
  /** Number of tests whose saved result was made by the second side itself: no evidence. */
  readonly same_results: number
}

/** What the second side has besides its tests. */
export interface OtherSide {
  /** Results that were carried over from an earlier run. */
  readonly carried?: readonly TestOutcome[] | undefined
  readonly run_id?: string | undefined
}

/** Pairs the unchanged tests of both sides; all others are only listed. */
export function pairTests(
  before: readonly TestOutcome[],
  after: readonly TestOutcome[],
  { carried: carriedOver = [], run_id }: OtherSide = {},
): PairedTests {
  const matched = matchTests(before, after)
  const pairs: Pair[] = []
  const changed: ChangedTest[] = []
  let same_results = 0
  for (const match of matched.matches.filter(([, after]) => !isQuarantined(after))) {
    if (match[0].saved_from !== undefined && match[0].saved_from === run_id) {
      same_results++
      continue
    }
    const comparable = comparableMatch(match)
    if (comparable) pairs.push(pairOf(comparable))
    else changed.push({ ...nameOf(match[0]), outcomes: match })
  }
  const carried = new Set(
    matchTests(matched.gone, carriedOver)
      .matches.filter(haveOneIdentity)
      .map(([test]) => test),
  )
  const gone = matched.gone.filter(test => !carried.has(test))
  const counted = (tests: readonly TestOutcome[]) => tests.filter(test => !isQuarantined(test)).map(nameOf)
  const latest = [...matched.matches.map(([, after]) => after), ...matched.new, ...gone]
  return {
    pairs,
    new: counted(matched.new),
    gone: counted(gone),
    changed,
    carried: [...carried].map(nameOf),
    same_results,
    quarantined: latest.filter(isQuarantined).map(nameOf),
  }
}

/** Whether test, target and judges are the same: a result that was carried over from the other side. */
function haveOneIdentity([before, after]: Match): boolean {
  return (['test_hash', 'target_hash', 'judges_hash'] as const).every(hash => before[hash] === after[hash])
}

/** The outcomes by the checks that apply to both sides; undefined if the test changed or there are no such checks. */
function comparableMatch(match: Match): Match | undefined {
  const [before, after] = match
  if (!isSameTest(match) || !areGradedAlike(before, after)) return undefined
  const graded = gradeAlike(before.results, after.results)
  if (!graded) return undefined
  const regraded = (outcome: TestOutcome, results: TestOutcome['results']) =>
    results === outcome.results ? outcome : testOutcome(results)
  return [regraded(before, graded[0]), regraded(after, graded[1])]
}

/** Whether a test is the same on both sides. Two variants of it differ in their input; one that was edited is another test. */
export function isSameTest([before, after]: Match): boolean {
  if (before.test_hash === after.test_hash) return true
  const isVariant = before.shared_hash !== undefined && variantIn(before.target) !== variantIn(after.target)
  return isVariant && before.shared_hash === after.shared_hash
}

/** Without the results of the checks, only equal checks that do not apply are comparable. */
function areGradedAlike(before: TestOutcome, after: TestOutcome): boolean {
  if (before.results.length > 0 && after.results.length > 0) return true
  return String(before.not_applicable ?? []) === String(after.not_applicable ?? [])
}

/** Replaces the values of pairs by their passes. */
export function passPairs(pairs: readonly Pair[]): Pair[] {
  const withPasses = (outcome: TestOutcome) => ({ ...outcome, values: passValues(outcome) })
  return pairs.map(({ outcomes: [before, after] }) => pairOf([withPasses(before), withPasses(after)]))
}

function pairOf(outcomes: Match): Pair {
  const [before, after] = [mean(outcomes[0].values), mean(outcomes[1].values)]
  // Subtract before rounding: rounded thirds would have several different sizes.
  const difference = rounded(after - before)
  const { suite, test_id } = outcomes[0]
  return { suite, test_id, before: rounded(before), after: rounded(after), difference, outcomes }
}

/** Removes floating-point noise. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

function nameOf({ suite, test_id }: TestOutcome): TestName {
  return { suite, test_id }
}

type Match = readonly [before: TestOutcome, after: TestOutcome]

/** Tests of two sides matched by name, each side with one target. */
export interface MatchedTests {
  readonly matches: readonly Match[]
  /** Only on the second side. */
  readonly new: readonly TestOutcome[]
  /** Only on the first side. */
  readonly gone: readonly TestOutcome[]
}

/** Matches tests by suite and id; tests with the same name by file, then by content. */
export function matchTests(before: readonly TestOutcome[], after: readonly TestOutcome[]): MatchedTests {
  const partners = groupBy(after, nameKey)
  const matches = [...groupBy(before, nameKey)].flatMap(([name, tests]) => matchNamed(tests, partners.get(name) ?? []))
  const matched = new Set(matches.flat())
  return {
    matches,
    new: after.filter(test => !matched.has(test)),
    gone: before.filter(test => !matched.has(test)),
  }
}

function nameKey({ suite, test_id }: TestOutcome): string {
  return compositeKey(suite, test_id)
}

function matchNamed(before: readonly TestOutcome[], after: readonly TestOutcome[]): Match[] {
  if (before.length === 1 && after.length === 1) return matchBy(before, after, nameKey)
  const inOneFile = matchBy(before, after, ({ file }) => file)
  const matched = new Set(inOneFile.flat())
  const left = (tests: readonly TestOutcome[]) => tests.filter(test => !matched.has(test))
  return [...inOneFile, ...matchBy(left(before), left(after), ({ test_hash }) => test_hash)]
}

/** Matches tests with equal keys in order. */
function matchBy(
  before: readonly TestOutcome[],
  after: readonly TestOutcome[],
  keyOf: (test: TestOutcome) => string | undefined,
): Match[] {
  const known = (tests: readonly TestOutcome[]) => tests.filter(test => keyOf(test) !== undefined)
  const partners = groupBy(known(after), test => keyOf(test) ?? '')
  return known(before).flatMap(test => {
    const partner = partners.get(keyOf(test) ?? '')?.shift()
    return partner ? [[test, partner] as const] : []
  })
}

/** Returns the cluster of each pair, joining the clusters of both sides; undefined for a single test. */
export function pairClusters(pairs: readonly Pair[]): (string | undefined)[] {
  const joined = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next
    return root
  }
  const names = pairs.map(({ outcomes: [before, after] }) => [before.cluster, after.cluster] as const)
  for (const [first, second] of names) {
    if (first === undefined || second === undefined) continue
    const [one, other] = [rootOf(first), rootOf(second)]
    if (one !== other) joined.set(one, other)
  }
  return names.map(([first, second]) => {
    const name = second ?? first
    return name === undefined ? undefined : rootOf(name)
  })
}

/** How many attempts of a test passed. */
export interface PassCount {
  readonly passed: number
  readonly attempts: number
}

/** Counts passed attempts, without those added by reruns; errors did not pass. */
export function passCount(test: TestOutcome): PassCount {
  const { passed, attempts } = test.first ?? test
  return { passed, attempts }
}

/** Whether the values of a test are 1 for each passed attempt and 0 for the others. */
export function hasOnlyPasses(outcome: TestOutcome): boolean {
  const { passed, attempts } = passCount(outcome)
  const { values } = outcome
  const count = (wanted: number) => values.filter(value => value === wanted).length
  return values.length === attempts && count(1) === passed && count(0) === attempts - passed
}

/** Returns 1 for each passed attempt and 0 for the others. */
function passValues(outcome: TestOutcome): number[] {
  const { passed, attempts } = passCount(outcome)
  return Array.from({ length: attempts }, (_, index) => Number(index < passed))
}
