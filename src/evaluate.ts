import { join } from 'node:path'
import { type Diagnostic, hasErrors } from './diagnostics/diagnostic.ts'
import { createRedactor, type Redactor } from './lib/redaction/redactor.ts'
import { Semaphore } from './lib/semaphore.ts'
import { logRecordings } from './log/log-recordings.ts'
import type { Evaluator } from './model/evaluator.ts'
import type { Host } from './model/host.ts'
import type { Origin } from './model/location.ts'
import type { Plan } from './model/plan.ts'
import type { Provider } from './model/provider.ts'
import { type OpenRecords, openRecords } from './open-records.ts'
import type { DefaultTargets } from './parse/config.ts'
import { type FoundFiles, findSuites } from './parse/find-files.ts'
import { type LoadResult, loadFiles } from './parse/load-files.ts'
import { dropCopies } from './parse/suite/drop-copies.ts'
import { loadTargets } from './parse/targets/load-targets.ts'
import type { StandIn } from './parse/targets/suite-targets.ts'
import { type ChangedFiles, changedFiles, hashFiles, targetContents } from './plan/file-hashes.ts'
import { type Filter, makePlan, selectTests } from './plan/make-plan.ts'
import type { Shard } from './plan/units.ts'
import { answerCache } from './record/answer-cache.ts'
import { latestRun } from './record/find-run.ts'
import type { ResumableRun } from './record/open-run.ts'
import { RECORD_KEYS } from './record/record-keys.ts'
import { recordedPathsFrom } from './record/recorded-path.ts'
import { createRecordingsReader } from './record/recordings.ts'
import type { RunFolder } from './record/run-folder.ts'
import { Budgets } from './run/policies/budget.ts'
import { MachineRequestLimits, requestsFolder } from './run/policies/machine-request-limits.ts'
import { type PlanRunner, runPlan } from './run/run-plan.ts'
import { RunRecorder, type RunRecorderOptions, type StopReason } from './run/run-recorder.ts'
import { targetTypes } from './spec/targets.ts'

/** What the program is made of. */
export interface World {
  readonly host: Host
  readonly evaluators: readonly Evaluator[]
  readonly providers: readonly Provider[]
  /** Where the defaults of a selection are written. */
  readonly config?: Origin | undefined
  /** What answers in place of targets. */
  readonly standIn?: StandIn | undefined
  /** Hashes of files of targets that count as they were when a run began, by their absolute paths. */
  readonly files_before?: ReadonlyMap<string, string> | undefined
  /** What must not be shown, besides the secrets of targets. */
  readonly secrets?: ReadonlyMap<string, string> | undefined
}

/** What to run, and on what. */
export interface Selection extends Filter {
  /** Files, folders or globs. */
  readonly paths: readonly string[]
  /** Which files below folders are suites; without it, those with the name of one. */
  readonly eval_patterns?: readonly string[] | undefined
  /** The targets file; without it, the nearest one of each suite. */
  readonly targets_file?: string | undefined
  /** Names of targets, for all tests. */
  readonly targets?: readonly string[] | undefined
  /** Name of the target that judges, where a check does not name one. */
  readonly judge?: string | undefined
  /** The targets that answer and judge where nobody names one: in place of `default` and `judge`. */
  readonly defaults?: DefaultTargets | undefined
  readonly trials?: number | undefined
  readonly shard?: Shard | undefined
  /** How many equal tests come before these, in suites that are not among the paths. */
  readonly equals_before?: number | undefined
}

/** What will be run, or why it cannot be. */
export interface Prepared {
  readonly found: FoundFiles
  readonly loaded: LoadResult
  /** All mistakes: of the suites, and of the targets in use. */
  readonly diagnostics: readonly Diagnostic[]
  /** Undefined where there is an error among them. */
  readonly plan: Plan | undefined
  readonly redactor: Redactor
  /** Values that must not be shown, with the names to show instead. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Text → suites → tests → targets → plan. */
export async function prepare(selection: Selection, world: World): Promise<Prepared> {
  const { host, evaluators, providers } = world
  const searched = await findSuites(selection.paths, host, selection.eval_patterns)
  const read = await loadFiles(searched.files, { host, evaluators })
  const { suites, copies } = dropCopies(read.suites, searched.named)
  const [found, loaded] = [
    { ...searched, copies },
    { ...read, suites },
  ]
  const selected = selectTests(loaded.suites, selection)
  const { targets_file: file, targets: names, judge } = selection
  const defaults = { ...selection.defaults, at: world.config }
  const types = targetTypes(providers)
  const { standIn } = world
  const targets = await loadTargets(selected, { host, types, file, names, judge, defaults, standIn })
  const diagnostics = [...loaded.diagnostics, ...targets.diagnostics]
  const secrets = new Map([...targets.secrets, ...(world.secrets ?? [])])
  const prepared = { found, loaded, diagnostics, secrets, redactor: createRedactor(secrets, RECORD_KEYS) }
  if (hasErrors(diagnostics)) return { ...prepared, plan: undefined }
  const hashes = await hashFiles(selected, host)
  const { trials, shard, equals_before } = selection
  const contents = await targetContents(targets.all(), host, world.files_before)
  const plan = makePlan({
    selected,
    targetsOf: targets.of,
    judgeOf: targets.judgeOf,
    judges: targets.judges(),
    hashes,
    contents,
    available_tests: loaded.suites.reduce((sum, { tests }) => sum + tests.length, 0),
    trials,
    shard,
    equals_before,
  })
  return { ...prepared, plan }
}

export interface RunOptions extends RunRecorderOptions {
  /** The folder `.assay`, where the cache is. */
  readonly settings_folder: string
  readonly runs_folder: string
  /** The folder that the paths in the records start from. */
  readonly root: string
  readonly version: string
  readonly workers?: number | undefined
  readonly timeout_seconds?: number | undefined
  readonly max_cost_usd?: number | undefined
  readonly cache?: boolean | undefined
  /** What else `run.json` says was asked for. */
  readonly recorded_options?: Readonly<Record<string, unknown>> | undefined
  /** The run whose answers are judged again; their workspaces stay for it. */
  readonly source?: string | undefined
  /** A run to go on with. */
  readonly begun?: ResumableRun | undefined
  /** Ends what runs, and starts nothing new. */
  readonly signal?: AbortSignal | undefined
  /** What makes the records, where it is not this machine. */
  readonly records?: PlanRunner | undefined
  onStart?(opened: OpenRecords): void
}

export interface FinishedRun {
  readonly folder: RunFolder
  /** Why attempts were left out, where some were. */
  readonly stopped: StopReason | undefined
  /** Why the records could not be written on. */
  readonly problem: Error | undefined
  /** Answers that no budget could count. */
  readonly uncounted: number
}

/** Plan → answers → grades → records. */
export async function run(
  { plan: planned, redactor }: { readonly plan: Plan; readonly redactor: Redactor },
  selection: Selection,
  options: RunOptions,
  host: Host,
): Promise<FinishedRun> {
  const previous = options.begun ? options.begun.info.previous : await latestRun(options.runs_folder, host)
  const request = { ...options.recorded_options, ...selection }
  const opened = await openRecords(planned, request, { ...options, previous }, redactor.json, host)
  const { folder, plan } = opened
  const attempts = plan.attempts.filter(({ id }) => !folder.index.has(id))
  const keeper = new RunRecorder(folder, { ...options, keep_workspaces: options.source !== undefined }, host)
  const budgets = new Budgets(options.max_cost_usd)
  const forward = () => keeper.stop('signal')
  options.signal?.addEventListener('abort', forward, { once: true })
  if (options.signal?.aborted) forward()
  const cache = options.cache ? answerCache(join(options.settings_folder, 'cache'), redactor.json, host) : undefined
  const records = (options.records ?? runPlan)(
    { ...plan, attempts },
    {
      host,
      run_id: folder.info.run_id,
      hashes: plan.hashes,
      judgeOf: plan.judgeOf,
      recordedPath: recordedPathsFrom(options.root),
      workers: options.workers,
      timeout_seconds: options.timeout_seconds,
      answers: keeper,
      requests: new MachineRequestLimits(requestsFolder(options.settings_folder), host),
      cache,
      budgetsOf: attempt => budgets.of(attempt),
      recordings: createRecordingsReader(options.runs_folder, previous, logRecordings, host),
      notify: event => keeper.notify(event),
      stop: keeper.stopping,
      abort: keeper.aborting,
      turns: new Semaphore(Math.max(options.workers ?? 0, 2 * host.cores)),
    },
  )
  try {
    options.onStart?.(opened)
    for await (const result of records) keeper.addResult(result)
  } finally {
    options.signal?.removeEventListener('abort', forward)
    await keeper.cleanedUp()
    const changed = await changedFiles(plan.contents, host)
    if (changed.programs.length > 0) await cache?.forget()
    await amend(folder, keeper.stopped, changed, options.root)
    await folder.close().catch(error => keeper.cannotRecord(error))
  }
  return { folder, stopped: keeper.stopped, problem: keeper.problem, uncounted: budgets.unknown }
}

/** Says in the records why a run ended early, and which files of its targets changed while it went on. */
async function amend(
  folder: RunFolder,
  stopped: StopReason | undefined,
  { programs, data }: ChangedFiles,
  root: string,
): Promise<void> {
  const isPartial = stopped !== undefined && folder.index.size < folder.planned
  const joined = (before: readonly string[] = [], now: readonly string[]) => [
    ...new Set([...before, ...now.map(recordedPathsFrom(root))]),
  ]
  const facts = {
    ...(isPartial ? { stopped } : {}),
    ...(programs.length > 0 ? { changed: joined(folder.info.changed, programs) } : {}),
    ...(data.length > 0 ? { written: joined(folder.info.written, data) } : {}),
  }
  // That it is not whole shows in its records too.
  if (Object.keys(facts).length > 0) await folder.amend(facts).catch(() => {})
}
