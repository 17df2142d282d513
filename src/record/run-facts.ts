import { resolve } from 'node:path'
import { sha256 } from '../lib/sha256.ts'
import { textKey } from '../lib/text-key.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { RunInfo } from '../model/run-info.ts'
import { testCount } from '../model/test-count.ts'
import { gitCommit } from './git-commit.ts'
import { recordedPath } from './recorded-path.ts'

/** What is known of a run before it begins. */
export type RunFacts = Omit<RunInfo, 'schema_version' | 'run_id' | 'started'>

/** What was asked for. */
export interface RunRequest {
  readonly paths: readonly string[]
  readonly targets_file?: string | undefined
  readonly shard?: { readonly index: number; readonly of: number } | undefined
}

/** What `run.json` says. */
export async function runFacts(
  plan: Plan,
  { paths, shard, targets_file, ...options }: RunRequest,
  {
    root,
    version,
    previous,
  }: { readonly root: string; readonly version: string; readonly previous: string | undefined },
  host: Host,
): Promise<RunFacts> {
  const suites = [...new Set(plan.attempts.map(({ suite }) => suite))]
  const targets = [...new Set(plan.attempts.map(({ target }) => target))]
  const git_commit = await gitCommit(root, host)
  return {
    assay_version: version,
    node_version: host.node_version,
    platform: host.platform,
    root,
    ...(git_commit === undefined ? {} : { git_commit }),
    ...(previous === undefined ? {} : { previous }),
    suites: await Promise.all(
      suites.map(async ({ name, file }) => {
        const hash = await host.files.read(file).then(sha256, () => 'unreadable')
        return { name, file: recordedPath(file, root), sha256: hash }
      }),
    ),
    targets: targets.map(({ written }) => written),
    ...targetFiles(plan, root),
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
    tests: testCount(plan.attempts),
    total_tests: plan.total_tests,
    selected_tests: plan.selected_tests,
    available_tests: plan.available_tests,
    attempts: plan.attempts.map(({ index, id }) => [index, id]),
    ...(plan.planned === plan.attempts.length ? {} : { planned_attempts: plan.planned }),
  }
}

/** Each file of each target once: suites that share a targets file have read the same one. */
function targetFiles({ contents }: Plan, root: string): Partial<Pick<RunFacts, 'target_files'>> {
  const files = new Map<string, { target: string; file: string; sha256: string }>()
  for (const [{ name: target }, found] of contents) {
    for (const { path, hash: sha256 } of found) {
      const file = recordedPath(path, root)
      files.set(textKey(target, file), { target, file, sha256 })
    }
  }
  return files.size === 0 ? {} : { target_files: [...files.values()] }
}
