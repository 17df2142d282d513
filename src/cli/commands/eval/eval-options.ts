import type { RunRequest } from '../../../operations/run/run-request.ts'
import type { OtelOptions } from '../../otel-options.ts'

/** The options of `assay eval`, as commander parses them. */
export interface EvalOptions extends OtelOptions {
  readonly target?: readonly string[]
  readonly control?: string
  readonly ablate?: string
  readonly targets?: string
  readonly judge?: string
  readonly judgeRepeats?: number
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly trials?: number
  readonly threshold?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly workers?: number
  readonly queue?: string
  readonly maxCost?: number
  readonly cache?: boolean
  readonly untilDecided?: boolean
  readonly maxTrials?: number
  readonly seed?: number
  readonly failFast?: boolean
  readonly failOn?: 'fail' | 'borderline'
  readonly minPassRate?: number
  readonly gate?: 'corrected' | 'raw'
  readonly allowFlaky?: boolean
  readonly against?: string
  readonly affected?: boolean
  readonly watch?: boolean
  readonly failOnRegression?: boolean
  readonly failOnNewFailures?: boolean
  readonly requireBetter?: boolean
  readonly margin?: number
  readonly triggerThreshold?: number
  readonly plan?: boolean
  readonly resume?: string
  readonly rerunFailed?: string
  readonly label?: string
  readonly runsDir?: string
  readonly log?: boolean
  readonly logDir?: string
  readonly by?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** The run that the options ask for. */
export function requestOf(paths: readonly string[], options: EvalOptions): RunRequest {
  return {
    paths,
    targets_file: options.targets,
    targets: options.target,
    control: options.control,
    ablate: options.ablate,
    judge: options.judge,
    judge_repeats: options.judgeRepeats,
    test_ids: options.testId,
    tags: options.tag,
    trials: options.trials,
    threshold: options.threshold,
    shard: options.shard,
    workers: options.workers,
    max_cost_usd: options.maxCost,
    cache: options.cache,
    until_decided: options.untilDecided,
    max_trials: options.maxTrials,
    seed: options.seed,
    fail_fast: options.failFast,
    fail_on: options.failOn,
    min_pass_rate: options.minPassRate,
    gate: options.gate,
    allow_flaky: options.allowFlaky,
    against: options.against,
    affected: options.affected,
    fail_on_regression: options.failOnRegression,
    fail_on_new_failures: options.failOnNewFailures,
    require_better: options.requireBetter,
    margin: options.margin,
    trigger_threshold: options.triggerThreshold,
    resume: options.resume,
    rerun_failed: options.rerunFailed,
    label: options.label,
    runs_dir: options.runsDir,
    log: options.log,
    log_dir: options.logDir,
  }
}
