import { resolve, sep } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { Deciding } from '../../model/decision.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { TestFilter } from '../../model/test-filter.ts'
import { UserError } from '../../model/user-error.ts'
import { type DefaultTargets, defaultTargets, type LoadedConfig } from '../../parse/config.ts'
import type { Shard } from '../../plan/units.ts'
import type { ComparisonGateOptions } from '../../report/compare/comparison-gates.ts'
import type { GateOptions } from '../../report/outcome/gate.ts'
import { WITHOUT_PLUGIN } from '../../spec/plugin-evals/arms.ts'
import { ablatableFields, type TargetType } from '../../spec/targets.ts'
import { defaultPaths } from '../config.ts'

/** The suites, tests and targets of a run. */
export interface Selection extends TestFilter {
  /** Files, folders or globs. Default: the current folder. */
  readonly paths?: readonly string[] | undefined
  /** Globs for the suites below folders. Default: files that are named like suites. */
  readonly eval_patterns?: readonly string[] | undefined
  /** The targets file. Default: the nearest one of each suite. */
  readonly targets_file?: string | undefined
  /** Names of targets, for all tests. */
  readonly targets?: readonly string[] | undefined
  /** Name of the target that the others are compared with; overrides tests and suites. */
  readonly control?: string | undefined
  /** A field of targets: each is compared with a copy without it. */
  readonly ablate?: string | undefined
  /** Name of target that judges checks without a target of their own. */
  readonly judge?: string | undefined
  /** How often models judge each answer; the first grading counts. Default: 1. */
  readonly judge_repeats?: number | undefined
  /** Names of targets in place of `default` and `judge`, for tests that name none. */
  readonly defaults?: DefaultTargets | undefined
  readonly trials?: number | undefined
  /** Lowest score that passes; overrides tests and suites. */
  readonly threshold?: number | undefined
  readonly shard?: Shard | undefined
}

/** What a run is asked for. Relative paths start from the current folder. */
export interface RunRequest extends Selection, GateOptions, ComparisonGateOptions {
  /** Saved results that the run is compared with: a baseline, a run, a file or `git:REF`. */
  readonly against?: string | undefined
  /** Whether only tests run whose saved results are not current; the others are carried over. */
  readonly affected?: boolean | undefined
  /** How many attempts run at once. Default: as many as the targets allow. */
  readonly workers?: number | undefined
  readonly timeout_seconds?: number | undefined
  readonly max_cost_usd?: number | undefined
  /** Whether attempts are made until the question is decided: better than the control, or above `min_pass_rate`. */
  readonly until_decided?: boolean | undefined
  /** With `until_decided`: the most pairs of attempts per test, on average. Default: 5. */
  readonly max_trials?: number | undefined
  /** With `until_decided`: makes the order of the tests reproducible. Default: random. */
  readonly seed?: number | undefined
  /** The settings of `until_decided`, which a resumed run keeps. */
  readonly deciding?: Deciding | undefined
  /** Whether nothing new starts after the first failure. */
  readonly fail_fast?: boolean | undefined
  /** Whether answers of unchanged targets are reused. */
  readonly cache?: boolean | undefined
  /** The share of trials from which on a skill counts as used. */
  readonly trigger_threshold?: number | undefined
  /** Whether attempts are also logged in `.co/evals`. */
  readonly log?: boolean | undefined
  readonly log_dir?: string | undefined
  /** Any text that names the run, by which `assay runs` finds it. */
  readonly label?: string | undefined
  /** The command that starts the run, program first, for `run.json`. */
  readonly command?: readonly string[] | undefined
  /** Where runs are kept. Default: `.assay/runs`. */
  readonly runs_dir?: string | undefined
  /** The run to resume: its id, `latest` or its folder. */
  readonly resume?: string | undefined
  /** Like `resume`, with another attempt for each failed one. */
  readonly rerun_failed?: string | undefined
}

type CompleteSelection = Selection & { readonly paths: readonly string[] }

/** A request that says where suites are. */
export type CompleteRequest = RunRequest & { readonly paths: readonly string[] }

/** A request in which everything is filled in: from the run that is resumed, else from the configuration. */
export function completeRequest(
  request: RunRequest,
  resumed: RunInfo | undefined,
  loaded: LoadedConfig,
  root: string,
): CompleteRequest {
  const { timeout_seconds, workers, log } = loaded.config
  const selection = completeSelection(request, resumed, loaded)
  const given = { ...request, ...selection, workers: request.workers ?? workers, timeout_seconds }
  const complete = resumed ? withLogOf(resumed, withGateOf(resumed, given), root) : given
  return { ...complete, log: complete.log ?? log }
}

/** What to run: as the user says now; where that is nothing, as the resumed run or the configuration says. */
export function completeSelection(
  given: Selection,
  resumed: RunInfo | undefined,
  loaded: LoadedConfig,
): CompleteSelection {
  const before: Selection = resumed
    ? { ...resumed.options, shard: resumed.shard }
    : { ...defaultPaths(loaded), defaults: defaultTargets(loaded.config) }
  const named = given.paths && given.paths.length > 0 ? given.paths : undefined
  return {
    paths: named ?? before.paths ?? ['.'],
    eval_patterns: named ? undefined : before.eval_patterns,
    targets_file: given.targets_file ?? before.targets_file,
    targets: given.targets ?? before.targets,
    ...(given.control === undefined && given.ablate === undefined ? comparisonOf(before) : comparisonOf(given)),
    judge: given.judge ?? before.judge,
    judge_repeats: given.judge_repeats ?? before.judge_repeats,
    defaults: before.defaults,
    test_ids: given.test_ids ?? before.test_ids,
    tags: given.tags ?? before.tags,
    trials: given.trials ?? before.trials,
    threshold: given.threshold ?? before.threshold,
    shard: given.shard ?? before.shard,
  }
}

/** The gate that the user names now, else that of the resumed run: it ends as the whole run would. */
export function withGateOf<Request extends RunRequest>(resumed: RunInfo, given: Request): Request {
  const { fail_on, min_pass_rate, gate, allow_flaky, trigger_threshold, ...before } = resumed.options as RunRequest
  const request = {
    ...given,
    trigger_threshold: given.trigger_threshold ?? trigger_threshold,
    against: given.against ?? before.against,
    affected: given.affected ?? before.affected,
    fail_on_regression: given.fail_on_regression ?? before.fail_on_regression,
    fail_on_new_failures: given.fail_on_new_failures ?? before.fail_on_new_failures,
    require_better: given.require_better ?? before.require_better,
    margin: given.margin ?? before.margin,
  }
  if (request.fail_on !== undefined) return request
  // Another rate to reach is still that of the gate which the run began with.
  const kept = { ...request, gate: request.gate ?? gate }
  if (request.min_pass_rate !== undefined) return kept
  return {
    ...kept,
    ...(fail_on ? { fail_on } : {}),
    ...(min_pass_rate === undefined ? {} : { min_pass_rate }),
    ...(allow_flaky ? { allow_flaky } : {}),
  }
}

/** The log of the resumed run, so that it is completed; only inside the root, since records may come from elsewhere. */
function withLogOf<Request extends RunRequest>(resumed: RunInfo, request: Request, root: string): Request {
  const { log_dir } = resumed.options as RunRequest
  if (log_dir === undefined || request.log === false || request.log_dir !== undefined) return request
  const path = resolve(root, log_dir)
  return path.startsWith(root + sep) ? { ...request, log: true, log_dir: path } : request
}

/** What `run.json` keeps of a request. */
export function recordedRequest(request: CompleteRequest, logDir: string | undefined): CompleteRequest {
  const { fail_on, min_pass_rate, gate, allow_flaky, trigger_threshold, timeout_seconds } = request
  const { fail_on_regression, fail_on_new_failures, require_better, margin, deciding, against, affected } = request
  const verdicts = { fail_on, min_pass_rate, gate, allow_flaky, trigger_threshold }
  const comparison = { fail_on_regression, fail_on_new_failures, require_better, margin, against, affected }
  return { ...verdicts, ...comparison, deciding, log_dir: logDir, timeout_seconds, ...selectionOf(request) }
}

/** The part of a request that chooses what to run. */
export function selectionOf(request: CompleteRequest): CompleteSelection {
  const { paths, eval_patterns, targets_file, targets, judge, judge_repeats, defaults } = request
  const { test_ids, tags, trials, threshold, shard } = request
  const files = { paths, eval_patterns, targets_file }
  const judging = { judge, judge_repeats }
  return { ...files, targets, ...judging, defaults, test_ids, tags, trials, threshold, shard, ...comparisonOf(request) }
}

/** How a selection names the control arms. */
function comparisonOf({ control, ablate }: Selection): Pick<Selection, 'control' | 'ablate'> {
  return { control, ablate }
}

/** Whether a selection leaves out the control arm of plugin evals: graders about the plugin are scored then. */
export function isSingleArm({ targets = [], control, ablate }: Selection): boolean {
  if (targets.length === 0 || control !== undefined || ablate !== undefined) return false
  return targets.length === 1 || !targets.includes(WITHOUT_PLUGIN)
}

/** Throws where the control arms of a selection contradict each other, or no target can have the field. */
export function checkComparison({ control, ablate }: Selection, types: readonly TargetType[]): void {
  if (ablate === undefined) return
  if (control !== undefined)
    throw new UserError('--control and --ablate cannot be used together: each of them names the control arms.')
  const fields = ablatableFields(types)
  if (fields.includes(ablate)) return
  const hint = didYouMean(ablate, fields, `use one of ${fields.join(', ')}`)
  throw new UserError(`--ablate: a target cannot be compared without ${quoteCode(ablate)}: ${hint}`)
}
