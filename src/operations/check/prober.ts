import { dirname } from 'node:path'
import { Semaphore } from '../../lib/semaphore.ts'
import type { Answer } from '../../model/answer.ts'
import type { Check } from '../../model/check.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { Suite } from '../../model/suite.ts'
import type { GradedTarget } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { variantName } from '../../model/variant.ts'
import { counts, judgeChecks } from '../../model/verdict.ts'
import { gradeAnswer } from '../../run/grade-answer.ts'
import type { AskJudge, GradingContext } from '../../run/grading.ts'

/** A test of a suite, or a variant of it. */
export interface ProbedTest {
  readonly suite: Suite
  readonly test: Test
  readonly variant?: string | undefined
}

/** The target that checks are told: its name, and that of the target without the variant. */
export type ProbedTarget = Pick<GradedTarget, 'name' | 'base'>

/** A target that no check is limited to. */
export const ANY_TARGET: ProbedTarget = { name: '' }

/** Grades answers that no target gave. */
export class Prober {
  readonly #context: GradingContext
  readonly #askJudge: AskJudge

  /** Without `programs`, no program is started; without `askJudge`, no judge is asked. */
  constructor(
    host: Host,
    { programs = false, askJudge = askNoJudge }: { programs?: boolean; askJudge?: AskJudge } = {},
  ) {
    this.#askJudge = askJudge
    this.#context = {
      host: programs ? host : withoutPrograms(host),
      abort: host.clock.createAbortController(),
      semaphore: new Semaphore(host.cores),
      recordedPath: file => file,
    }
  }

  /** Grades an answer with checks of a test, for a target. */
  grade(
    { suite, test }: ProbedTest,
    checks: readonly Check[],
    answer: Answer,
    target = ANY_TARGET,
  ): Promise<EvaluatorResult[]> {
    const subject = { answer, test, target: target.name, trial: 1, folder: dirname(suite.file) }
    const graded = { test: { checks, at: test.at }, target: { ...target, skills: undefined } }
    return gradeAnswer(graded, subject, this.#askJudge, this.#context)
  }

  /** Whether a check accepts an answer; undefined if it cannot be graded here. */
  async accepts(tested: ProbedTest, check: Check, answer: Answer): Promise<boolean | EvaluatorResult['error']> {
    const [result] = await this.grade(tested, [check], answer, { name: check.applies_to?.[0] ?? '' })
    return result?.error ?? result?.passed
  }

  /** What is known of the verdict of a test. */
  async verdict(tested: ProbedTest, answer: Answer, target: ProbedTarget): Promise<KnownVerdict> {
    const results = await this.grade(tested, tested.test.checks, answer, target)
    return knownVerdict(results, tested)
  }
}

export interface KnownVerdict {
  readonly results: readonly EvaluatorResult[]
  /** Whether the test passes, whatever the checks say that are not graded here. */
  readonly passes: boolean
  /** Whether the test passes if all checks pass that are not graded here. */
  readonly can_pass: boolean
  /** Undefined if a check is not graded here. */
  readonly score: number | null
}

function knownVerdict(results: readonly EvaluatorResult[], { suite, test }: ProbedTest): KnownVerdict {
  const threshold = test.execution.threshold ?? suite.execution.threshold
  const passesIf = (passed: boolean) =>
    judgeChecks(
      results.map(result => (result.error ? assumed(result, passed) : result)),
      threshold,
    ).verdict === 'pass'
  return {
    results,
    passes: results.some(counts) && passesIf(false),
    can_pass: !results.some(counts) || passesIf(true),
    score: judgeChecks(results, threshold).score,
  }
}

function assumed(result: EvaluatorResult, passed: boolean): EvaluatorResult {
  return { ...result, error: undefined, evaluator_results: undefined, score: passed ? 1 : 0, passed }
}

/** The targets that the checks of a test are limited to, and any other. A variant has only arms of its own. */
export function targetsOf({ suite, test, variant }: ProbedTest): readonly ProbedTarget[] {
  const names = [...new Set(namesIn(test.checks))]
  if (variant === undefined) return [ANY_TARGET, ...names.map(name => ({ name }))]
  const variants = suite.variants?.map(({ name }) => name) ?? []
  const bases = names.flatMap(name => {
    const own = variants.find(each => name.endsWith(`/${each}`))
    if (own === undefined) return [name]
    return own === variant ? [name.slice(0, -own.length - 1)] : []
  })
  return [ANY_TARGET, ...[...new Set(bases)].map(base => ({ name: variantName(base, variant), base }))]
}

function namesIn(checks: readonly Check[]): string[] {
  return checks.flatMap(({ applies_to = [] }) => applies_to)
}

/** The message of a check that needs a program. */
export const NO_PROGRAMS = 'programs are started only with --programs'

const askNoJudge: AskJudge = () =>
  Promise.reject(new Unjudged('judge-no-answer', 'judges are asked only with --judges'))

function withoutPrograms(host: Host): Host {
  const refuse = () => Promise.reject(new Unjudged('judge-missing', NO_PROGRAMS))
  return { ...host, processes: { ...host.processes, run: refuse, start: refuse } }
}
