import { groupBy } from '../../lib/collections.ts'
import { applicableChecks } from '../../model/applicability.ts'
import type { Attempt } from '../../model/attempt.ts'
import { judgeNames } from '../../model/check.ts'
import type { Mark } from '../../model/mark.ts'
import type { Plan } from '../../model/plan.ts'
import type { ArmPair } from '../../model/run-info.ts'
import type { Target } from '../../model/target.ts'
import type { Selection } from './run-request.ts'

/** What a run would do. */
export interface PlanSummary {
  readonly attempts: number
  /** How many attempts all shards have together. */
  readonly total: number
  /** The least number of calls of judges: unreadable replies are requested again. */
  readonly judge_calls: number
  readonly suites: readonly PlannedSuite[]
  /** Targets to which tests do not apply, with the number of these tests in all shards. */
  readonly not_applicable: readonly { readonly target: string; readonly tests: number }[]
  /** Tests of all shards that are not run. */
  readonly skipped: readonly PlannedMark[]
  /** Tests that run and are marked. */
  readonly marked: readonly PlannedMark[]
  /** Targets with their control arms, and the fields in which they differ. */
  readonly arms: readonly ArmPair[]
}

/** A test with its mark. */
export interface PlannedMark {
  readonly suite: string
  readonly test_id: string
  readonly file: string
  readonly line: number
  readonly mark: 'skip' | Mark['kind']
  readonly reason: string
  /** The last day of a quarantine. */
  readonly until?: string | undefined
}

/** A suite on one target. */
export interface PlannedSuite {
  readonly suite: string
  readonly target: string
  /** Whether the target is the control arm. */
  readonly control?: true | undefined
  readonly provider: string
  readonly tests: number
  readonly attempts: number
  readonly judge_calls: number
}

/** `judge_repeats`: how often each answer is judged. */
export function planSummary(
  { attempts, arms, total, not_applicable, skipped }: Plan,
  { judge_repeats = 1 }: Pick<Selection, 'judge_repeats'> = {},
): PlanSummary {
  const groups = groupBy(attempts, ({ suite, target, is_control }) =>
    JSON.stringify([suite.file, target.name, is_control]),
  )
  const suites = [...groups.values()].map(group => {
    const [{ suite, target, is_control }] = group
    return {
      suite: suite.name,
      target: target.name,
      control: is_control,
      provider: target.provider.type,
      tests: new Set(group.map(({ test }) => test)).size,
      attempts: group.length,
      judge_calls: group.reduce((sum, attempt) => sum + judgeCalls(attempt) * judge_repeats, 0),
    }
  })
  const judge_calls = suites.reduce((sum, suite) => sum + suite.judge_calls, 0)
  const inapplicable = [...groupBy(not_applicable, ({ target }) => target.name)]
  return {
    attempts: attempts.length,
    total,
    judge_calls,
    suites,
    arms,
    skipped: skipped.map(each => ({ ...namesOf(each), mark: 'skip', reason: each.reason })),
    marked: markedIn(attempts),
    not_applicable: inapplicable.map(([target, { length: tests }]) => ({ target, tests })),
  }
}

/** The marked tests of attempts, each once. */
function markedIn(attempts: readonly Attempt[]): PlannedMark[] {
  const byTest = new Map(attempts.map(attempt => [attempt.test, attempt]))
  return [...byTest.values()].flatMap(attempt => {
    if (!attempt.mark) return []
    const { kind: mark, ...facts } = attempt.mark
    return [{ ...namesOf(attempt), mark, ...facts }]
  })
}

function namesOf({ suite, test: { id, at } }: Pick<Attempt, 'suite' | 'test'>) {
  return { suite: suite.name, test_id: id, file: at.file, line: at.line() }
}

/** How often judges are asked about an answer: by each check, nested ones included, with all votes of each judge. */
function judgeCalls({ test, target }: Attempt): number {
  return [...applicableChecks(test.checks, target)].reduce(
    (sum, check) => sum + judgeNames(check).length * (check.evaluator.judge?.(check.config).calls ?? 1),
    0,
  )
}

/** Targets whose changes cannot be noticed, each once: no file of their command is found, or they are behind a URL. */
export function unversionedTargets({ attempts, contents, carried }: Plan): readonly Target[] {
  const isUnversioned = (target: Target) =>
    hasHiddenAgent(target, contents) && target.settings.version === undefined && !target.settings.depends_on
  const all = [...attempts, ...(carried?.attempts ?? [])].map(({ target }) => target)
  return [...new Map(all.filter(isUnversioned).map(target => [target.name, target])).values()]
}

function hasHiddenAgent(target: Target, contents: Plan['contents']): boolean {
  const { files, execution } = target.provider
  if (!files?.paths) return execution?.isRemote === true
  return contents.get(target)?.every(({ is_folder }) => is_folder) === true
}
