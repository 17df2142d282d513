import { resolve, sep } from 'node:path'
import type { Selection } from '../evaluate.ts'
import type { RunInfo } from '../model/run-info.ts'
import { defaultTargets, type LoadedConfig } from '../parse/config.ts'
import type { GateOptions } from '../report/outcome/gate.ts'
import { unnamedSuites } from './read-config.ts'

/** The options of `assay eval`, as commander gives them. */
export interface EvalOptions {
  readonly target?: readonly string[]
  readonly targets?: string
  readonly judge?: string
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly trials?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly workers?: number
  readonly queue?: string
  readonly maxCost?: number
  readonly cache?: boolean
  readonly failFast?: boolean
  readonly failOn?: 'fail' | 'borderline'
  readonly minPassRate?: number
  readonly allowFlaky?: boolean
  readonly triggerThreshold?: number | undefined
  readonly plan?: boolean
  readonly resume?: string
  readonly rerunFailed?: string
  readonly runsDir?: string
  readonly log?: boolean | undefined
  readonly logDir?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** The gate that the user names now, else that of the run that is resumed: it ends as the whole run would. */
export function withGateOf(given: EvalOptions, begun: RunInfo | undefined): EvalOptions {
  if (!begun) return given
  const { fail_on, min_pass_rate, allow_flaky, trigger_threshold } = begun.options as GateRequest
  const options = { ...given, triggerThreshold: given.triggerThreshold ?? trigger_threshold }
  if (options.failOn !== undefined || options.minPassRate !== undefined) return options
  return {
    ...options,
    ...(fail_on ? { failOn: fail_on } : {}),
    ...(min_pass_rate === undefined ? {} : { minPassRate: min_pass_rate }),
    ...(allow_flaky ? { allowFlaky: allow_flaky } : {}),
  }
}

/** The log of the run that is resumed, so that it is completed; only inside the root, since records may come from elsewhere. */
export function withLogOf(options: EvalOptions, begun: RunInfo | undefined, root: string): EvalOptions {
  const { log_dir } = (begun?.options ?? {}) as { readonly log_dir?: string }
  if (log_dir === undefined || options.log === false || options.logDir !== undefined) return options
  const logDir = resolve(root, log_dir)
  return logDir.startsWith(root + sep) ? { ...options, log: true, logDir } : options
}

type GateRequest = Pick<GateOptions, 'fail_on' | 'min_pass_rate' | 'allow_flaky'> & {
  readonly trigger_threshold?: number
}

/** What to run: what the user says now; where that is nothing, what the run that is resumed was about, else the configuration. */
export function selectionOf(
  paths: readonly string[],
  options: EvalOptions,
  begun: RunInfo | undefined,
  loaded: LoadedConfig,
): Selection {
  const before: Partial<Selection> = begun
    ? { ...begun.options, shard: begun.shard }
    : { ...unnamedSuites(loaded), defaults: defaultTargets(loaded.config) }
  return {
    paths: paths.length > 0 ? paths : (before.paths ?? ['.']),
    eval_patterns: paths.length > 0 ? undefined : before.eval_patterns,
    targets_file: options.targets ?? before.targets_file,
    targets: options.target ?? before.targets,
    judge: options.judge ?? before.judge,
    defaults: before.defaults,
    test_ids: options.testId ?? before.test_ids,
    tags: options.tag ?? before.tags,
    trials: options.trials ?? before.trials,
    shard: options.shard ?? before.shard,
  }
}
