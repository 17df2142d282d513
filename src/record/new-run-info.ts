import { resolve } from 'node:path'
import { compositeKey, groupBy } from '../lib/collections.ts'
import { canonicalJson } from '../lib/json/stringify.ts'
import { countTests } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Provenance } from '../model/provenance.ts'
import type { RunInfo } from '../model/run-info.ts'
import { hashSuite } from '../model/suite-hash.ts'
import type { Target } from '../model/target.ts'
import { recordedPath } from './recorded-path.ts'

/** `run.json` of a run that has not started yet, or that another tool started before. */
export type NewRunInfo = Omit<RunInfo, 'schema_version' | 'run_id' | 'started'> & Partial<Pick<RunInfo, 'started'>>

/** The options of a run that `run.json` records. */
export interface RunRequest {
  readonly paths: readonly string[]
  readonly targets_file?: string | undefined
  readonly shard?: { readonly index: number; readonly of: number } | undefined
}

interface RunPlace {
  readonly root: string
  readonly version: string
  readonly previous: string | undefined
  readonly provenance: Provenance
}

/** Collects what `run.json` records about a run. */
export async function collectRunInfo(
  plan: Plan,
  { paths, shard, targets_file, ...options }: RunRequest,
  { root, version, previous, provenance }: RunPlace,
  host: Host,
): Promise<NewRunInfo> {
  const all = [...plan.attempts, ...(plan.carried?.attempts ?? [])]
  const suites = [...new Set(all.map(({ suite }) => suite))]
  const targets = [...new Set(all.map(({ target }) => target))]
  return {
    assay_version: version,
    node_version: host.node_version,
    platform: host.platform,
    root,
    ...provenance,
    ...(previous === undefined ? {} : { previous }),
    suites: await Promise.all(
      suites.map(async ({ name, file }) => {
        const hash = await hashSuite(file, host).catch(() => 'unreadable')
        return { name, file: recordedPath(file, root), sha256: hash }
      }),
    ),
    targets: targets.map(({ written }) => written),
    ...(plan.arms.length === 0 ? {} : { arms: [...plan.arms] }),
    ...targetFiles(plan, root),
    ...testFiles(plan, root),
    ...targetSkills(targets),
    ...(plan.judges.length === 0
      ? {}
      : { judges: plan.judges.map(({ written }) => written), judge_hashes: plan.judge_hashes }),
    options: {
      ...options,
      ...(targets_file === undefined ? {} : { targets_file: resolve(host.cwd, targets_file) }),
      paths: paths.map(path => resolve(host.cwd, path)),
    },
    ...(shard ? { shard } : {}),
    plan_id: plan.id,
    total: plan.total,
    tests: countTests(plan.attempts),
    total_tests: plan.total_tests,
    selected_tests: plan.selected_tests,
    available_tests: plan.available_tests,
    attempts: plan.attempts.map(({ index, id }) => [index, id]),
    ...notApplicable(plan, root),
    ...(plan.carried ? { carried: { from: plan.carried.from, tests: plan.carried.tests } } : {}),
    ...skippedTests(plan, root),
    ...(plan.planned === plan.attempts.length ? {} : { planned_attempts: plan.planned }),
  }
}

/** The tests that do not apply to a target, by suite, file and target. */
function notApplicable(plan: Plan, root: string): Partial<Pick<NewRunInfo, 'not_applicable'>> {
  const groups = groupBy(plan.not_applicable, ({ suite, test, target }) =>
    compositeKey(suite.name, test.at.file, target.name),
  )
  const listed = [...groups.values()].map(group => {
    const [{ suite, test, target }] = group
    const file = recordedPath(test.at.file, root)
    return { suite: suite.name, file, target: target.name, test_ids: group.map(({ test }) => test.id) }
  })
  return listed.length === 0 ? {} : { not_applicable: listed }
}

/** The tests that are not run, with their locations. */
function skippedTests({ skipped }: Plan, root: string): Partial<Pick<NewRunInfo, 'skipped'>> {
  if (skipped.length === 0) return {}
  return {
    skipped: skipped.map(({ suite, test: { id, tags, at }, reason }) => {
      const location = { file: recordedPath(at.file, root), line: at.line() }
      return { suite: suite.name, ...location, test_id: id, tags: [...tags], reason }
    }),
  }
}

/** The files of the targets, each once: suites may share a targets file. */
function targetFiles({ contents }: Plan, root: string): Partial<Pick<NewRunInfo, 'target_files'>> {
  const files = new Map<string, { target: string; file: string; sha256: string }>()
  for (const [{ name: target }, found] of contents) {
    for (const { path, hash: sha256 } of found) {
      const file = recordedPath(path, root)
      files.set(compositeKey(target, file), { target, file, sha256 })
    }
  }
  return files.size === 0 ? {} : { target_files: [...files.values()] }
}

/** The files that tests and checks name. */
function testFiles({ hashes }: Plan, root: string): Partial<Pick<NewRunInfo, 'test_files'>> {
  if (hashes.size === 0) return {}
  return { test_files: Array.from(hashes, ([path, sha256]) => ({ file: recordedPath(path, root), sha256 })) }
}

/** The skills of the targets whose skills are known. Suites may have different targets of one name. */
function targetSkills(targets: readonly Target[]): Partial<Pick<NewRunInfo, 'target_skills'>> {
  const known = [...groupBy(targets, ({ name }) => name)].flatMap(([target, group]) => {
    const lists = group.flatMap(({ skills }) => (skills ? [skills] : []))
    return lists.length === group.length ? [{ target, skills: [...new Set(lists.flat())] }] : []
  })
  return known.length === 0 ? {} : { target_skills: known }
}

/** Lists what changed since a run was started: `agent.py changed`. */
export function listChanges(before: RunInfo, after: NewRunInfo): string[] {
  const files = changedNames(byFile(before.target_files ?? []), byFile(after.target_files ?? []))
  const targets = changedNames(byName(before.targets), byName(after.targets)).map(name => `target ${name}`)
  const suites = changedNames(byFile(before.suites), byFile(after.suites))
  const names = [...new Set([...files, ...targets, ...suites])]
  return names.length > 0 ? names.map(name => `${name} changed`) : ['a file that a test or check names changed']
}

/** Returns the names that were added, removed or have another value. */
function changedNames(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(name => before.get(name) !== after.get(name))
}

function byFile(files: readonly { readonly file: string; readonly sha256: string }[]): Map<string, string> {
  return new Map(files.map(({ file, sha256 }) => [file, sha256]))
}

function byName(targets: RunInfo['targets']): Map<string, string> {
  return new Map(targets.map(target => [String(target['name']), canonicalJson(target)]))
}
