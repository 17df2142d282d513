import { join } from 'node:path'

/** The Node arguments to run assay. */
export function assay(...args) {
  return [join(import.meta.dirname, '../dist/assay.cjs'), ...args]
}

/** The Node arguments to run a baseline program. */
export function plain(name, ...args) {
  return [join(import.meta.dirname, 'baselines', `${name}.mjs`), ...args]
}

/** The `eval` of a suite: our command, and the task for a peer. */
export function evalTask(suite, runs, workers) {
  const limit = workers === undefined ? [] : ['--workers', String(workers)]
  return {
    ours: assay('eval', suite, '--quiet', '--runs-dir', runs, ...limit),
    task: { command: 'eval', suite, workers: workers ?? 1 },
  }
}

/** The `validate` of a suite: our command, and the task for a peer. */
export function validateTask(suite) {
  return { ours: assay('validate', suite), task: { command: 'validate', suite, workers: 1 } }
}
