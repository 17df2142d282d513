import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, isJudged } from '../../model/check.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { Target } from '../../model/target.ts'
import { armNamesFor } from './arm-names.ts'
import { findJudges, findUnableJudges, type JudgedChecks, reportSameFamily } from './find-judges.ts'
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
  const judged = [...judgedTests(answering, context)]
  for (const [name, { at, check, targets }] of findJudges(judged, suite, options)) {
    const raw = file?.targets.find(target => target.name === name)
    if (raw) {
      const judge = (options.standIn ? undefined : answering.get(name)) ?? (await loadTarget(raw, targetContext))
      if (!judge) continue
      judges.set(name, judge)
      reportSameFamily(judge, targets, diagnostics)
    } else if (file && at) await reportUnknownTarget(name, at, file, context)
    else await reportNoJudge(check, context)
  }
  await reportUnableJudges(judged, judges, context)
  return judges
}

/** Yields the checks of each test that a model judges, with the targets whose answers they grade. */
function* judgedTests(
  answering: ReadonlyMap<string, Target>,
  { suite, tests, options }: SuiteTargetsContext,
): Generator<JudgedChecks> {
  if (!someEvaluator(tests, ({ judge }) => judge !== undefined)) return
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

/** Reports judges that cannot explore folders or embed texts, but have to. */
async function reportUnableJudges(
  judged: readonly JudgedChecks[],
  judges: ReadonlyMap<string, Target>,
  context: SuiteTargetsContext,
): Promise<void> {
  const { suite, options } = context
  for (const { check, name, at, lack } of findUnableJudges(judged, suite, options, judges)) {
    const { code, problem, hint } = LACKS[lack]
    const able = options.types.flatMap(({ provider }) => (provider[lack] ? [provider.type] : []))
    const isNamed = lack === 'embed' || check.evaluator.judge?.(check.config).judges !== undefined
    const message = `the target ${quoteCode(name)} ${problem}`
    const use = `use a target of one of these providers: ${able.join(', ')}${hint}`
    await reportOn({ code, at: (isNamed && at) || check.at, message, hint: use }, context)
  }
}

const LACKS = {
  looks: {
    code: 'judge-cannot-look',
    problem: 'judges this check, but cannot explore folders',
    hint: '; or use `llm_judge`',
  },
  embed: {
    code: 'target-cannot-embed',
    problem: 'cannot embed texts',
    hint: ', with a model for embeddings as its `model`',
  },
} as const
