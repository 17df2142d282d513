import { join } from 'node:path'

/** Our program with arguments, for Node. */
export function assay(...args) {
  return [join(import.meta.dirname, '../dist/assay.js'), ...args]
}

/** A plain program that does the same, for Node. */
export function plain(name, ...args) {
  return [join(import.meta.dirname, 'baselines', `${name}.mjs`), ...args]
}

/** Running a suite: our side of a row, and what another tool is told. */
export function evaluating(suite, runs, workers) {
  const limit = workers === undefined ? [] : ['--workers', String(workers)]
  return {
    ours: assay('eval', suite, '--quiet', '--runs-dir', runs, ...limit),
    task: { command: 'eval', suite, workers: workers ?? 1 },
  }
}

/** Looking for mistakes in a suite, in the same way. */
export function validating(suite) {
  return { ours: assay('validate', suite), task: { command: 'validate', suite, workers: 1 } }
}
