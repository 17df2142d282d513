import { ALPHA, RHO } from '../../lib/statistics/sequential-boundary.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Deciding } from '../../model/decision.ts'
import type { Host } from '../../model/host.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { UserError } from '../../model/user-error.ts'
import { requireChosenTogether } from './require-comparable.ts'
import type { RunRequest } from './run-request.ts'

const DEFAULT_MAX_TRIALS = 5
const LEAST_LAG = 16

/** The settings of a run until it is decided; undefined for other runs. A resumed run keeps those that it began with. */
export function decidingSettings(
  given: Pick<RunRequest, 'until_decided' | 'max_trials' | 'seed' | 'workers' | 'rerun_failed'>,
  resumed: RunInfo | undefined,
  host: Pick<Host, 'random'>,
): Deciding | undefined {
  const { until_decided = false, max_trials = DEFAULT_MAX_TRIALS, seed, workers = 0 } = given
  if (resumed) return keptSettings(given, resumed)
  if (!until_decided) return undefined
  return {
    seed: seed ?? Math.floor(host.random() * 2 ** 32),
    alpha: ALPHA,
    rho: RHO,
    max_trials,
    lag: Math.max(LEAST_LAG, Math.ceil(workers / 2)),
  }
}

/** Throws where a resumed run would be decided otherwise than it began. */
function keptSettings(
  given: Parameters<typeof decidingSettings>[0],
  { run_id, options }: RunInfo,
): Deciding | undefined {
  const { deciding } = options as { readonly deciding?: Deciding }
  const { until_decided, max_trials, seed, rerun_failed } = given
  if (deciding && rerun_failed !== undefined)
    throw new UserError(
      `Run ${run_id} was made with --until-decided: attempts that repeat only failures would bias its decision.`,
      'Begin a new run, or resume it with --resume.',
    )
  const isOther =
    (until_decided && !deciding) ||
    (max_trials !== undefined && max_trials !== deciding?.max_trials) ||
    (seed !== undefined && seed !== deciding?.seed)
  if (isOther)
    throw new UserError(
      `Run ${run_id} began with other settings of --until-decided, and its decision depends on them.`,
      'Resume it without --until-decided, --max-trials and --seed, or begin a new run.',
    )
  return deciding
}

/** Throws where a run with `until_decided` has no question that attempts could decide. */
export function requireQuestion(attempts: readonly Attempt[], { deciding, min_pass_rate }: RunRequest): void {
  if (!deciding) return
  requireChosenTogether(attempts)
  if (min_pass_rate !== undefined || attempts.some(({ is_control }) => is_control)) return
  throw new UserError(
    'Nothing to decide: --until-decided compares targets with a control, or a target with a pass rate.',
    'Name a control with --control or --ablate, or a pass rate with --min-pass-rate.',
  )
}
