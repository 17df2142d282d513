import type { Host } from '../../model/host.ts'
import type { Location } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import { readGoldenAnswers } from '../../record/golden-answers.ts'
import { CheckTrials } from './check-findings.ts'
import { indistinctTests } from './indistinct-tests.ts'
import { judgeFindings } from './judge-requests.ts'
import { halfOf, isNonAnswer, negationOf } from './probe-answers.ts'
import { ANY_TARGET, type ProbedTest, Prober } from './prober.ts'
import { type Reference, referencesOf } from './references.ts'
import { testFindings } from './test-findings.ts'
import { joinFindings, probedTests, type VariantFindings } from './variant-findings.ts'

/** A test with the answers that must pass. */
export interface ReferencedTest extends ProbedTest {
  readonly references: readonly Reference[]
}

/** What trying the tests of one suite came to. */
export interface CheckedSuite {
  readonly tests: readonly ReferencedTest[]
  readonly findings: readonly DiagnosticInput[]
  readonly trials: CheckTrials
  readonly pairs: number
  readonly all_pairs: number
  /** How many tests accept their reference negated, and cut in half. */
  readonly weak: { readonly negated: number; readonly halved: number }
}

export interface CheckSuiteOptions {
  /** Whether programs that judge are started. */
  readonly programs?: boolean | undefined
  readonly settings_folder: string
  /** Called after each test. */
  onTest?(): void
}

/** Tries the checks and the tests of a suite with answers that no target gave. */
export async function checkSuite(suite: Suite, options: CheckSuiteOptions, host: Host): Promise<CheckedSuite> {
  const { programs = false, settings_folder } = options
  const ids = suite.tests.map(({ id }) => id)
  const golden = await readGoldenAnswers(settings_folder, suite.name, ids, host)
  const tests = suite.tests.map(test => ({ suite, test, references: referencesOf(test, golden.of.get(test.id)) }))
  const prober = new Prober(host, { programs })
  const trials = new CheckTrials(prober)
  for (const { suite, test, references } of tests)
    for (const probed of probedTests(suite, test)) await trials.add(probed, references)
  const findings: DiagnosticInput[] = []
  const distinct: ReferencedTest[] = []
  const weak = { negated: 0, halved: 0 }
  for (const tested of tests) {
    const found = await findingsIn(tested, trials, prober)
    findings.push(...found)
    if (found.length === 0) {
      distinct.push(tested)
      await countWeak(weak, tested, prober)
    }
    options.onTest?.()
    await host.clock.yieldToEvents()
  }
  const compared = await indistinctTests(distinct, prober)
  return {
    tests,
    findings: [
      ...trials.findings(),
      ...(await judgeFindings(tests, host)),
      ...findings,
      ...compared.findings,
      ...golden.unmatched.map(unmatchedGolden),
    ],
    trials,
    pairs: compared.pairs,
    all_pairs: compared.all_pairs,
    weak,
  }
}

/** The findings of a test, in each of its variants. */
async function findingsIn(
  { suite, test, references }: ReferencedTest,
  trials: CheckTrials,
  prober: Prober,
): Promise<DiagnosticInput[]> {
  const tried: VariantFindings[] = []
  for (const probed of probedTests(suite, test))
    tried.push({ variant: probed.variant, findings: await testFindings(probed, references, trials, prober) })
  return joinFindings(tried)
}

/** Counts tests that cannot tell their reference from its opposite, or from half of it. */
async function countWeak(
  weak: { negated: number; halved: number },
  { references, ...tested }: ReferencedTest,
  prober: Prober,
): Promise<void> {
  const [reference] = references
  if (!reference || isNonAnswer(reference.answer.text)) return
  const { answer } = reference
  const passes = async (text: string) => (await prober.verdict(tested, { ...answer, text }, ANY_TARGET)).passes
  if (await passes(negationOf(answer.text))) weak.negated++
  if (await passes(halfOf(answer.text))) weak.halved++
}

function unmatchedGolden(file: string): DiagnosticInput {
  const at: Location = { file, line: 1, column: 1, length: 1 }
  return {
    code: 'unmatched-golden',
    at,
    message: 'this golden answer belongs to no test of its suite',
    hint: 'name the file after the id of a test: `<test id>.md`',
  }
}
