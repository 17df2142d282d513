import type { Check } from '../model/check.ts'
import { nestedChecks } from '../model/check.ts'
import type { Origin } from '../model/location.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { WrittenDefaults } from './default-names.ts'

interface Judge {
  readonly name: string
  /** Where it is named; nowhere, for the one that is taken by itself. */
  readonly at?: Origin
}

/** The judge whom the user names, and the one who is taken by default. */
export interface GivenJudges {
  readonly judge?: string | undefined
  readonly defaults?: WrittenDefaults | undefined
}

/** Who judges a check on the answers of a target: whom the check names, else the user, the target, the configuration; else `judge`. */
export function judgeFor(check: Check, target: Target, suite: Suite, { judge, defaults = {} }: GivenJudges): Judge {
  const own = check.evaluator.judge?.(check.config).target
  if (own !== undefined) return { name: own, at: check.at.child('target') }
  if (judge !== undefined) return { name: judge, at: suite.at }
  const { judge_target } = target.settings
  if (judge_target !== undefined) return { name: judge_target, at: target.at.child('judge_target') }
  if (defaults.judge === undefined) return { name: 'judge' }
  return { name: defaults.judge, at: defaults.at?.child('judge') ?? suite.at }
}

/** What is judged: checks, by whose answers. */
export interface Judged {
  readonly checks: readonly Check[]
  readonly targets: readonly Target[]
}

export interface FoundJudge extends Judge {
  /** The first check that it judges. */
  readonly check: Check
  /** The targets whose answers it judges. */
  readonly targets: ReadonlySet<Target>
}

/** The judges of a suite, by their names. */
export function findJudges(
  judged: Iterable<Judged>,
  suite: Suite,
  given: GivenJudges,
): ReadonlyMap<string, FoundJudge> {
  const judges = new Map<string, FoundJudge & { readonly targets: Set<Target> }>()
  for (const { target, ...judging } of judgings(judged, suite, given)) {
    const known = judges.get(judging.name) ?? { ...judging, targets: new Set() }
    known.targets.add(target)
    judges.set(judging.name, known)
  }
  return judges
}

/** The checks whose judge has to look around but cannot, each once for each such judge. */
export function findBlindJudges(
  judged: Iterable<Judged>,
  suite: Suite,
  given: GivenJudges,
  targets: ReadonlyMap<string, Target>,
): readonly Judging[] {
  const blind = new Map<Check, Map<string, Judging>>()
  for (const judging of judgings(judged, suite, given)) {
    const { check, name } = judging
    const judge = targets.get(name)
    if (!judge || judge.provider.looks || !check.evaluator.judge?.(check.config).looks) continue
    const known = blind.get(check) ?? new Map<string, Judging>()
    blind.set(check, known.set(name, judging))
  }
  return [...blind.values()].flatMap(judges => [...judges.values()])
}

interface Judging extends Judge {
  readonly check: Check
  /** Whose answers are judged. */
  readonly target: Target
}

/** Who judges what: each check, also one inside another, on the answers of each target. */
function* judgings(judged: Iterable<Judged>, suite: Suite, given: GivenJudges): Generator<Judging> {
  for (const { checks, targets } of judged) {
    for (const check of checks.flatMap(judgedIn)) {
      for (const target of targets) yield { ...judgeFor(check, target, suite, given), check, target }
    }
  }
}

/** Those that a model judges among a check and the checks inside it: none in most, so none are made a list of. */
export function judgedIn(check: Check): readonly Check[] {
  const inside = nestedChecks(check)
  if (inside.length === 0) return check.evaluator.judge ? [check] : NONE
  return inside.flatMap(judgedIn)
}

const NONE: readonly Check[] = []
