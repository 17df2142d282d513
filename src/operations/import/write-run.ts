import type { ImportedRun } from '../../import/format.ts'
import { compositeKey } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'
import { createRun } from '../../record/open-run.ts'
import { findProjectFolders, ignoreRunsInGit } from '../../record/project-folders.ts'
import { version } from '../version.ts'

/** Writes the results of another tool as a run. Returns its folder. */
export async function writeImportedRun(run: ImportedRun, runsDir: string | undefined, host: Host): Promise<string> {
  const { root, runs_folder } = await findProjectFolders(runsDir, host)
  await ignoreRunsInGit(runs_folder, host)
  const { results, planned, targets, suite, label, started } = run
  const tests = new Set(results.map(({ test_id, target }) => compositeKey(test_id, target))).size
  const hash = sha256(canonicalJson(results))
  const folder = await createRun(
    runs_folder,
    {
      assay_version: version,
      node_version: host.node_version,
      platform: host.platform,
      root,
      started,
      label,
      imported: true,
      suites: [{ name: suite, file: label, sha256: hash }],
      targets: targets.map(target => ({ ...target })),
      options: {},
      plan_id: hash.slice(0, 16),
      total: Math.max(planned, results.length),
      tests,
      total_tests: tests,
      attempts: results.map(({ index, attempt_id }) => [index, attempt_id]),
    },
    value => JSON.stringify(value),
    host,
  )
  try {
    for (const result of results) folder.addResults([{ ...result, run_id: folder.info.run_id }])
  } finally {
    await folder.close()
  }
  return folder.path
}
