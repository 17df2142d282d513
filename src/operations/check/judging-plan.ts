import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Answer } from '../../model/answer.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Check } from '../../model/check.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Plan } from '../../model/plan.ts'
import type { JudgeRequest } from '../../model/prompt.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { testInArm } from '../../model/variant.ts'
import { readGoldenAnswers } from '../../record/golden-answers.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { loadNearestConfig } from '../config.ts'
import { type PlannedRun, planRun } from '../evaluate.ts'
import { completeSelection } from '../run/run-request.ts'
import type { Runtime } from '../runtime.ts'
import { answerOf, EMPTY, isNonAnswer, negationOf, UNKNOWING } from './probe-answers.ts'
import { type ProbedTest, Prober } from './prober.ts'
import { leavesOf, type Reference, referencesOf } from './references.ts'

/** An answer for judges, and whether the test should pass. */
export interface JudgedProbe {
  readonly name: string
  readonly answer: Answer
  /** The reference that it is; undefined for an answer that should not pass. */
  readonly reference?: Reference
}

/** A test whose checks ask judges, with the answers to ask about. */
export interface JudgedTest extends ProbedTest {
  readonly attempt: Attempt
  readonly probes: readonly JudgedProbe[]
}

/** What asking judges takes. */
export interface JudgingPlan {
  readonly planned: PlannedRun
  /** Undefined if the suites or targets have errors. */
  readonly plan: Plan | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly tests: readonly JudgedTest[]
  /** Number of requests, without repeated ones. */
  readonly calls: number
  /** Names of the judges. */
  readonly judges: readonly string[]
  /** Estimated cost in US dollars; undefined if a price is not known. */
  readonly cost_usd: number | undefined
}

/** A plan without errors. */
export type ReadyJudging = JudgingPlan & { readonly plan: Plan }

export interface JudgingOptions {
  readonly paths?: readonly string[] | undefined
  readonly judge?: string | undefined
  readonly targets_file?: string | undefined
}

/** Plans to ask the judges of suites about references and about answers that should not pass. Nothing is asked. */
export async function planJudging(options: JudgingOptions, runtime: Runtime): Promise<JudgingPlan> {
  const { host } = runtime
  const selection = completeSelection(options, undefined, await loadNearestConfig(host))
  const planned = await planRun(selection, runtime)
  const { plan, diagnostics } = planned
  const none = { planned, plan, diagnostics, tests: [], calls: 0, judges: [], cost_usd: undefined }
  if (!plan) return none
  const tests = await judgedTests(plan, runtime)
  const requests = await requestsOf(tests, plan, runtime)
  const costs = requests.map(costOf)
  return {
    ...none,
    tests,
    calls: requests.length,
    judges: [...new Set(requests.flatMap(({ judge }) => judge?.name ?? []))],
    cost_usd: costs.some(cost => cost === undefined)
      ? undefined
      : costs.reduce<number>((sum, cost = 0) => sum + cost, 0),
  }
}

/** The first attempt of each test, and of each variant of it, with a check that a model judges. */
async function judgedTests({ attempts }: Plan, { host }: Runtime): Promise<JudgedTest[]> {
  const { settings_folder } = await findProjectFolders(undefined, host)
  const firsts = firstAttempts(attempts)
  const tested: (ProbedTest & { attempt: Attempt; references: readonly Reference[] })[] = []
  for (const suite of new Set(firsts.map(attempt => attempt.suite))) {
    const ids = suite.tests.map(({ id }) => id)
    const golden = await readGoldenAnswers(settings_folder, suite.name, ids, host)
    for (const attempt of firsts.filter(each => each.suite === suite))
      tested.push({
        suite,
        test: testInArm(attempt.test, attempt),
        variant: attempt.variant,
        attempt,
        references: referencesOf(attempt.test, golden.of.get(attempt.test.id)),
      })
  }
  return tested.flatMap(({ references, ...one }, index) => {
    if (!leavesOf(one.test.checks).some(({ evaluator }) => evaluator.judge)) return []
    const others = [...tested.slice(index + 1), ...tested.slice(0, index)]
    const other = others.find(
      ({ suite, attempt, references: [own] }) =>
        suite === one.suite && attempt.test !== one.attempt.test && own && !isNonAnswer(own.answer.text),
    )
    return [{ ...one, probes: probesOf(references, other) }]
  })
}

/** The first attempt of each test in each of its variants. */
function firstAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  const seen = new Map<Test, Set<string | undefined>>()
  return attempts.filter(({ test, variant }) => {
    const variants = seen.get(test) ?? new Set()
    seen.set(test, variants)
    const { size } = variants
    return variants.add(variant).size > size
  })
}

function probesOf(
  references: readonly Reference[],
  other: (ProbedTest & { readonly references: readonly Reference[] }) | undefined,
): JudgedProbe[] {
  const [own] = references
  const wanted = references.map(reference => ({ name: reference.name, answer: reference.answer, reference }))
  const unwanted = [EMPTY].map(({ name, text }) => ({ name, answer: answerOf({ text }) }))
  // Without a reference, or if that is a refusal, these may be right.
  if (!own || isNonAnswer(own.answer.text)) return [...wanted, ...unwanted]
  const [foreign] = other?.references ?? []
  const isOther = other && foreign && foreign.answer.text.trim() !== own.answer.text.trim()
  return [
    ...wanted,
    ...unwanted,
    { name: UNKNOWING.name, answer: answerOf({ text: UNKNOWING.text }) },
    { name: 'the opposite of its reference', answer: { ...own.answer, text: negationOf(own.answer.text) } },
    ...(isOther ? [{ name: `the reference answer of \`${other.test.id}\``, answer: foreign.answer }] : []),
  ]
}

interface PlannedRequest {
  readonly judge: Target | undefined
  readonly characters: number
  /** Whether the target embeds texts: it writes nothing. */
  readonly embeds: true | undefined
}

/** The requests that judges would get, which are written but not sent. */
async function requestsOf(tests: readonly JudgedTest[], plan: Plan, { host }: Runtime): Promise<PlannedRequest[]> {
  const requests: PlannedRequest[] = []
  for (const { attempt, probes, ...tested } of tests) {
    const askJudge = (check: Check, { messages, judge, embeds }: JudgeRequest) => {
      const characters = JSON.stringify(messages).length
      requests.push({ judge: plan.judgeOf(attempt, check, judge), characters, embeds })
      return Promise.reject(new Unjudged('judge-no-answer', 'not asked'))
    }
    const prober = new Prober(host, { askJudge })
    for (const { answer } of probes) await prober.grade(tested, tested.test.checks, answer, attempt.target)
  }
  return requests
}

const CHARACTERS_PER_TOKEN = 4

/** What a judge is likely to write. */
const OUTPUT_TOKENS = 200

function costOf({ judge, characters, embeds }: PlannedRequest): number | undefined {
  const { input, output = embeds ? 0 : undefined } = judge?.settings.price ?? {}
  if (input === undefined || output === undefined) return undefined
  return ((characters / CHARACTERS_PER_TOKEN) * input + (embeds ? 0 : OUTPUT_TOKENS) * output) / 1e6
}
