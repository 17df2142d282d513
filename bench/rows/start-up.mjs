import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, plain, validateTask } from '../programs.mjs'
import { suiteOf } from '../suite.mjs'

/** Starts the program, compared with Node alone. */
export function startUpRows(folder) {
  const ten = join(folder, 'ten.eval.yaml')
  writeFileSync(ten, suiteOf(10))
  const baseline = plain('empty')
  return [
    { name: 'start: --version', ours: assay('--version'), baseline, limit: 2, runs: 21 },
    { name: 'start: validate 10 tests', ...validateTask(ten), baseline, limit: 4.5, runs: 21 },
  ]
}
