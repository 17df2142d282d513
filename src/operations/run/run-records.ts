import { compositeKey } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import { markRecord } from '../../model/mark.ts'
import type { Plan } from '../../model/plan.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { Rerun } from '../../model/run-info.ts'
import { type ResultFacts, testKey } from '../../model/run-reader.ts'
import type { ChangedFiles } from '../../plan/file-hashes.ts'
import { addReruns } from '../../plan/reruns.ts'
import { resumedProvenance } from '../../record/joined-provenance.ts'
import { collectRunInfo, listChanges, type NewRunInfo } from '../../record/new-run-info.ts'
import { type ResumableRun, reopenRun, resumeRun, startRun } from '../../record/open-run.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import { RunError } from '../../record/run-error.ts'
import type { RunFolder, ToJson } from '../../record/run-folder.ts'
import type { StopReason } from '../../run/run-stop.ts'
import type { CompleteRequest } from './run-request.ts'

/** The records of a run, open for adding to them. */
export interface OpenRecords {
  readonly folder: RunFolder
  /** All attempts of the run, those that reruns have added among them. */
  readonly plan: Plan
  /** The most attempts that are made, where the plan does not say. */
  readonly most?: number | undefined
  /** The state of a resumed run. */
  readonly resumed: Resumed | undefined
}

export interface Resumed {
  /** How many attempts are recorded and count. */
  readonly recorded: number
  /** How many recorded attempts are made again since their test, target or files changed. */
  readonly changed: number
  /** Descriptions of the changes: `agent.py changed`. */
  readonly reasons: readonly string[]
  /** Recorded attempts that no longer count and are not made again, and how many of them did not pass. */
  readonly dropped: { readonly attempts: number; readonly not_passed: number }
  /** How many recorded attempts have another mark now. */
  readonly remarked: number
  /** What this rerun makes again; undefined for a plain resume, or where nothing failed. */
  readonly rerun: Rerun | undefined
}

interface OpenOptions {
  readonly runs_folder: string
  readonly root: string
  readonly version: string
  readonly previous: string | undefined
  readonly provenance: Provenance
  readonly source?: string | undefined
  readonly begun?: ResumableRun | undefined
}

/** Opens the records of a new run, or of one to resume. */
export async function openRecords(
  plan: Plan,
  request: CompleteRequest,
  options: OpenOptions,
  toJson: ToJson,
  host: Host,
): Promise<OpenRecords> {
  const { begun, source, runs_folder } = options
  if (begun) return reopen(plan, request, { ...options, begun }, toJson, host)
  const facts = await collectRunInfo(plan, request, options, host)
  const folder = await startRun(runs_folder, source === undefined ? facts : { ...facts, source }, toJson, host)
  return { folder, plan, resumed: undefined }
}

async function reopen(
  today: Plan,
  request: CompleteRequest,
  options: OpenOptions & { readonly begun: ResumableRun },
  toJson: ToJson,
  host: Host,
): Promise<OpenRecords> {
  const { begun } = options
  requireSameJudges(begun, today)
  const folder = await reopenRun(begun, toJson, host)
  const { reruns: earlier = [] } = begun.info
  const started = begun.rerun_failed ? host.clock.timestamp() : undefined
  const unreached = begun.remakes_unreached ? unreachedIn(folder) : []
  const { plan, reruns, replaced: again } = addReruns(today, earlier, folder.index.facts(), started)
  const replaced = [...again, ...unreached]
  requireSameControls(begun, plan, folder)
  const isMade = plan.attempts.every(({ id }) => folder.index.has(id)) && replaced.length === 0 && !request.deciding
  const resumed = isMade ? undefined : host.clock.timestamp()
  const provenance = resumedProvenance(begun.info, options.provenance, resumed)
  const facts: NewRunInfo = await collectRunInfo(plan, request, { ...options, provenance }, host)
  const { changed: mixed, written } = begun.info
  const others = await resumeRun(folder, begun, {
    ...facts,
    ...(reruns.length === 0 ? {} : { reruns: [...reruns] }),
    ...(mixed ? { changed: mixed } : {}),
    ...(written ? { written } : {}),
  })
  folder.forget(replaced)
  const remarked = recordMarks(plan, folder)
  const { changed, dropped } = superseded(plan, folder, others, recordedPathsFrom(options.root))
  const reasons = changed === 0 ? [] : listChanges(begun.info, facts)
  const rerun = reruns.length > earlier.length ? reruns.at(-1) : undefined
  return { folder, plan, resumed: { recorded: folder.index.size, changed, reasons, dropped, remarked, rerun } }
}

/** Ids of attempts that never reached the agent. */
function unreachedIn({ index }: RunFolder): string[] {
  return Array.from(index.facts()).flatMap(({ attempt_id, is_replaceable }) => (is_replaceable ? [attempt_id] : []))
}

/** Records results again whose test has another mark in the suite as it is now. Returns their number. */
function recordMarks({ attempts }: Plan, folder: RunFolder): number {
  const remarked = attempts.filter(({ id, mark }) => {
    const facts = folder.index.factsOf(id)
    if (!facts || (!facts.mark && !mark)) return false
    return canonicalJson(facts.mark ?? null) !== canonicalJson(mark ?? null)
  })
  for (const { id, mark } of remarked) {
    const result = folder.result(id)
    if (result) folder.addResults([{ ...result, ...markRecord(mark) }])
  }
  return remarked.length
}

/** Throws where other judges than before would grade a part of a run. */
function requireSameJudges({ info }: ResumableRun, { judge_hashes }: Plan): void {
  const before = info.judge_hashes ?? {}
  if (Object.keys(before).length === 0) return
  const other = Object.keys(judge_hashes).find(name => before[name] !== judge_hashes[name])
  if (other === undefined) return
  const what = other in before ? `The judge ${other} has changed since` : `${other} did not judge`
  throw new RunError(
    `${what} the run ${info.run_id}: \`assay grade ${info.run_id}\` judges all of its answers again, or begin a new run.`,
  )
}

/** Throws where recorded attempts were made with another control arm: reports would mix the two. */
function requireSameControls({ info }: ResumableRun, { attempts }: Plan, { index }: RunFolder): void {
  const controls = new Map(Array.from(index.facts(), facts => [facts.attempt_id, facts.is_control]))
  const other = attempts.find(({ id, is_control = false }) => (controls.get(id) ?? is_control) !== is_control)
  if (!other) return
  const { target, is_control } = other
  const what = is_control ? `${target.name} was not the control arm` : `${target.name} was the control arm`
  throw new RunError(`${what} of the run ${info.run_id}: begin a new run, or name the same control arm.`)
}

/** Counts recorded attempts outside of the plan: made again under another identity, or dropped. */
function superseded(
  { attempts }: Plan,
  { index }: RunFolder,
  others: readonly ResultFacts[],
  recordedPath: (file: string) => string,
): Pick<Resumed, 'changed' | 'dropped'> {
  const planned = new Map(attempts.map(attempt => [keyOf(attempt, recordedPath), attempt]))
  const last = new Map(others.map(facts => [compositeKey(testKey(facts), String(facts.trial)), facts]))
  const again = [...last.keys()].flatMap(key => planned.get(key) ?? []).filter(({ id }) => !index.has(id))
  const dropped = [...last].filter(([key]) => !planned.has(key)).map(([, facts]) => facts)
  const not_passed = dropped.filter(({ verdict }) => verdict !== 'pass').length
  return { changed: again.length, dropped: { attempts: dropped.length, not_passed } }
}

/** Records why a run ended early, and which files of its targets changed meanwhile. */
export async function recordEnd(
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
  // The records show by themselves that a run is not whole.
  if (Object.keys(facts).length > 0) await folder.amend(facts).catch(() => {})
}

/** The same for one trial of a test on a target, whatever they are made of. */
function keyOf({ suite, test, target, trial }: Attempt, recordedPath: (file: string) => string): string {
  const name = { suite: suite.name, file: recordedPath(test.at.file), test_id: test.id, target: target.name }
  return compositeKey(testKey(name), String(trial))
}
