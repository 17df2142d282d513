import { basename, join } from 'node:path'
import { answerRecordSchema } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { plannedAttempts, type Rerun, type RunInfo } from '../model/run-info.ts'
import { type RunFiles, UNFINISHED_MERGE } from './find-run.ts'
import { mergedProvenance } from './joined-provenance.ts'
import { createRun, setLatest } from './open-run.ts'
import { readRecords } from './read-records.ts'
import { readRun } from './read-run.ts'
import { RunError } from './run-error.ts'
import { type RunFolder, readRunInfo } from './run-folder.ts'

/** Merges shards into a new run. Returns its folder and the number of unreadable lines. */
export async function mergeRuns(
  found: readonly RunFiles[],
  runsFolder: string,
  { isImported, command }: { readonly isImported: boolean; readonly command: readonly string[] | undefined },
  host: Host,
): Promise<{ folder: string; damaged: number }> {
  const shards = await Promise.all(found.map(run => shardOf(run, host)))
  const [first] = shards
  if (!first) throw new RunError('No runs to merge.')
  const attempts = joined(shards)
  const { schema_version, run_id, started, shard, stopped, reruns, ...facts } = withoutProvenance(first.info)
  const folder = await createRun(
    runsFolder,
    {
      ...facts,
      ...mergedProvenance(
        shards.map(({ info }) => info),
        command,
      ),
      attempts,
      planned_attempts: shards.reduce((sum, { info }) => sum + plannedAttempts(info), 0),
      ...mergedReruns(shards),
      ...changedInAny(shards),
      ...(isImported || shards.some(({ info }) => info.imported) ? { imported: true } : {}),
      tests: facts.total_tests,
      options: { ...facts.options, merged: shards.map(({ info }) => info.run_id) },
    },
    value => JSON.stringify(value),
    host,
    UNFINISHED_MERGE,
  )
  let { path } = folder
  try {
    let damaged = 0
    for (const { run } of shards) damaged += await copyShard(run, folder, host)
    const whole = join(runsFolder, folder.info.run_id)
    // Locked until it is renamed: other processes remove unlocked merges as leftovers.
    await host.files.rename(path, whole)
    path = whole
    await folder.close()
    await host.files.remove(join(whole, 'lock'))
    await setLatest(runsFolder, folder, host)
    return { folder: whole, damaged }
  } catch (error) {
    // An incomplete run would look like a complete one.
    await folder.close().catch(() => {})
    await host.files.remove(path).catch(() => {})
    throw error instanceof RunError ? error : new RunError(`Cannot merge into ${path}: ${(error as Error).message}`)
  }
}

/** The files of targets that changed during any of the shards. */
function changedInAny(shards: readonly ShardRun[]): Partial<Pick<RunInfo, 'changed' | 'written'>> {
  const changed = new Set(shards.flatMap(({ info }) => info.changed ?? []))
  const written = new Set(shards.flatMap(({ info }) => info.written ?? []))
  return {
    ...(changed.size > 0 ? { changed: [...changed] } : {}),
    ...(written.size > 0 ? { written: [...written] } : {}),
  }
}

/** The description of a run but for where it comes from. */
function withoutProvenance(info: RunInfo) {
  const { git_commit, git_branch, git_dirty, label, command, ci_url, source_url, resumes, merged_from, ...rest } = info
  return rest
}

/** Copies the records of a shard. Returns the number of unreadable lines. */
async function copyShard(run: RunFiles, to: RunFolder, host: Host): Promise<number> {
  for await (const { record } of readRecords(join(run.folder, 'answers.jsonl'), answerRecordSchema(), host))
    to.addAnswer(record)
  const reader = await readRun(run, host)
  try {
    for (const result of reader.results()) to.addResults([{ ...result, run_id: to.info.run_id }])
    return reader.damaged
  } finally {
    reader.close()
  }
}

interface ShardRun {
  readonly run: RunFiles
  readonly info: RunInfo
}

async function shardOf(run: RunFiles, host: Host): Promise<ShardRun> {
  const info = await readRunInfo(run.folder, host)
  if (!info) throw new RunError(`${run.folder} has no run.json, so its plan is unknown.`)
  return { run, info }
}

/** Returns the attempts of all shards in the order of the plan. Throws if they are not shards of one plan. */
function joined(shards: readonly ShardRun[]): [number, string][] {
  const [first, ...others] = shards
  const owners = new Map<string, string>()
  for (const { info } of others) {
    if (info.plan_id !== first?.info.plan_id) {
      throw new RunError(
        `${info.run_id} and ${first?.info.run_id} have different plans: other suites, targets, filters or trials.`,
      )
    }
  }
  requireSameJudges(shards)
  const attempts: [number, string][] = []
  for (const { info, run } of shards) {
    for (const [index, id] of info.attempts) {
      const owner = owners.get(id)
      if (owner !== undefined)
        throw new RunError(`${owner} and ${basename(run.folder)} share attempts, so they are not shards of one run.`)
      owners.set(id, basename(run.folder))
      attempts.push([index, id])
    }
  }
  return attempts.sort(([a], [b]) => a - b)
}

/** Throws if the shards were judged by different judges: their scores are not of one scale. */
function requireSameJudges([first, ...others]: readonly ShardRun[]): void {
  const judges = first?.info.judge_hashes ?? {}
  for (const { info } of others) {
    const { judge_hashes = {} } = info
    const names = new Set([...Object.keys(judges), ...Object.keys(judge_hashes)])
    const other = [...names].find(name => judges[name] !== judge_hashes[name])
    if (other === undefined) continue
    throw new RunError(
      `${info.run_id} and ${first?.info.run_id} have different judges (${other}): \`assay grade\` judges the answers of a run again.`,
    )
  }
}

/** Merges the first reruns of all shards into the first rerun of the run, and so on. */
function mergedReruns(shards: readonly ShardRun[]): Partial<Pick<RunInfo, 'reruns'>> {
  const reruns: Rerun[] = []
  for (const { info } of shards) {
    for (const [index, { started, added, replaced }] of (info.reruns ?? []).entries()) {
      const known = reruns[index]
      if (known)
        reruns[index] = { ...known, added: [...known.added, ...added], replaced: [...known.replaced, ...replaced] }
      else reruns.push({ started, added, replaced })
    }
  }
  return reruns.length === 0 ? {} : { reruns }
}
