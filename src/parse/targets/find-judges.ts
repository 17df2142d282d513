import { withFields } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { applicableChecks } from '../../model/applicability.ts'
import type { Check } from '../../model/check.ts'
import type { JudgeNeeds } from '../../model/evaluator.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { type Judge, type JudgeOptions, judgesFor } from './target-names.ts'

/** Checks, and the targets whose answers they grade. */
export interface JudgedChecks {
  readonly checks: readonly Check[]
  readonly targets: readonly Target[]
}

export interface FoundJudge extends Judge {
  /** First check that it judges. */
  readonly check: Check
  /** Targets whose answers it judges. */
  readonly targets: ReadonlySet<Target>
}

/** Finds the judges of a suite, by name. */
export function findJudges(
  judged: Iterable<JudgedChecks>,
  suite: Suite,
  options: JudgeOptions,
): ReadonlyMap<string, FoundJudge> {
  const judges = new Map<string, FoundJudge & { readonly targets: Set<Target> }>()
  for (const { target, ...judging } of judgeAssignments(judged, suite, options)) {
    const known = judges.get(judging.name) ?? { ...judging, targets: new Set() }
    // A target that embeds texts cannot favour answers.
    if (!needsOf(judging.check).embeds) known.targets.add(target)
    judges.set(judging.name, known)
  }
  return judges
}

/** Finds the checks whose judge lacks what they need of it: to explore folders, or to embed texts. */
export function findUnableJudges(
  judged: Iterable<JudgedChecks>,
  suite: Suite,
  options: JudgeOptions,
  targets: ReadonlyMap<string, Target>,
): readonly UnableJudge[] {
  const unable = new Map<Check, Map<string, UnableJudge>>()
  for (const judging of judgeAssignments(judged, suite, options)) {
    const { check, name } = judging
    const judge = targets.get(name)
    const lack = judge && lackOf(judge, needsOf(check))
    if (!lack) continue
    const known = unable.get(check) ?? new Map<string, UnableJudge>()
    unable.set(check, known.set(name, { ...judging, lack }))
  }
  return [...unable.values()].flatMap(judges => [...judges.values()])
}

/** A judge that lacks what a check needs of it. */
interface UnableJudge extends JudgeAssignment {
  readonly lack: 'looks' | 'embed'
}

function lackOf({ provider }: Target, { looks, embeds }: JudgeNeeds): UnableJudge['lack'] | undefined {
  if (looks && !provider.looks) return 'looks'
  return embeds && !provider.embed ? 'embed' : undefined
}

function needsOf({ evaluator, config }: Check): JudgeNeeds {
  return evaluator.judge?.(config) ?? {}
}

interface JudgeAssignment extends Judge {
  readonly check: Check
  /** Target whose answers are judged. */
  readonly target: Target
}

/** Yields the judges of every check, nested ones included, for every target that it applies to. */
function* judgeAssignments(
  judged: Iterable<JudgedChecks>,
  suite: Suite,
  options: JudgeOptions,
): Generator<JudgeAssignment> {
  for (const { checks, targets } of judged) {
    for (const target of targets) {
      for (const check of applicableChecks(checks, target)) {
        if (!check.evaluator.judge) continue
        for (const judge of judgesFor(check, target, suite, options)) yield withFields(judge, { check, target })
      }
    }
  }
}

/** Warns if a judge belongs to the same model family as a target whose answers it judges. */
export function reportSameFamily(judge: Target, targets: Iterable<Target>, diagnostics: Diagnostics): void {
  for (const target of targets) {
    const words = selfPreference(judge, target)
    if (words === undefined) continue
    const hint = 'models favour answers like their own: use a judge of another family, with `judge_target` or `--judge`'
    const message = `${quoteCode(judge.name)} judges ${words}`
    diagnostics.add({ code: 'same-family', at: judge.at.child('name'), message, hint })
  }
}

/** Describes why a judge may favour a target; undefined if their families differ or are unknown. */
function selfPreference(judge: Target, target: Target): string | undefined {
  if (judge.name === target.name) return judge.provider.model ? 'its own answers' : undefined
  const family = familyOf(judge)
  if (family === undefined || family !== familyOf(target)) return undefined
  return `the answers of ${quoteCode(target.name)}, and both belong to the model family ${quoteCode(family)}`
}

function familyOf({ provider, config }: Target): string | undefined {
  return provider.model?.family(config)
}
