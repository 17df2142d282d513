import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, isJudged } from '../../model/check.ts'
import type { Target } from '../../model/target.ts'
import { armNamesFor } from './arm-names.ts'
import { findBlindJudges, findJudges, type JudgedChecks, reportSameFamily } from './find-judges.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { reportOn, reportUnknownTarget, type SuiteTargetsContext } from './suite-targets-context.ts'
import type { TargetsFile } from './targets-file.ts'

/** Loads the targets that judge the checks of a suite, by name. Reports missing and unsuitable judges. */
export async function loadJudges(
  answering: ReadonlyMap<string, Target>,
  file: TargetsFile | undefined,
  targetContext: TargetContext,
  context: SuiteTargetsContext,
): Promise<ReadonlyMap<string, Target>> {
  const { suite, options, diagnostics } = context
  const judges = new Map<string, Target>()
  // That there is no file is already reported.
  if (!file && !options.standIn) return judges
  for (const [name, { at, check, targets }] of findJudges(judgedTests(answering, context), suite, options)) {
    const raw = file?.targets.find(target => target.name === name)
    if (raw) {
      const judge = (options.standIn ? undefined : answering.get(name)) ?? (await loadTarget(raw, targetContext))
      if (!judge) continue
      judges.set(name, judge)
      reportSameFamily(judge, targets, diagnostics)
    } else if (file && at) await reportUnknownTarget(name, at, file, context)
    else await reportNoJudge(check, context)
  }
  await reportBlindJudges(answering, judges, context)
  return judges
}

/** Yields the checks of each test that a model judges, with the targets whose answers they grade. */
function* judgedTests(
  answering: ReadonlyMap<string, Target>,
  { suite, tests, options }: SuiteTargetsContext,
): Generator<JudgedChecks> {
  for (const test of tests) {
    if (!test.checks.some(isJudged)) continue
    const names = armNamesFor(suite, test, options)
    yield { checks: test.checks, targets: names.flatMap(({ name }) => answering.get(name) ?? []) }
  }
}

async function reportNoJudge({ at, evaluator, config }: Check, context: SuiteTargetsContext): Promise<void> {
  if (evaluator.judge?.(config).is_optional) return
  const hint = 'add a target named `judge`, set `judge_target` in the target, or pass `--judge`'
  await reportOn({ code: 'no-judge', at, message: 'no judge for this check', hint }, context)
}

/** Reports judges that cannot explore folders but have to. */
async function reportBlindJudges(
  answering: ReadonlyMap<string, Target>,
  judges: ReadonlyMap<string, Target>,
  context: SuiteTargetsContext,
): Promise<void> {
  const { suite, options } = context
  const able = options.types.filter(({ provider }) => provider.looks).map(({ provider }) => provider.type)
  const hint = `use a target of one of these providers: ${able.join(', ')}; or use \`llm_judge\``
  for (const { check, name, at } of findBlindJudges(judgedTests(answering, context), suite, options, judges)) {
    const isOnPanel = check.evaluator.judge?.(check.config).judges !== undefined
    const message = `the target ${quoteCode(name)} judges this check, but cannot explore folders`
    await reportOn({ code: 'judge-cannot-look', at: (isOnPanel && at) || check.at, message, hint }, context)
  }
}
