import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suiteOf } from '../suite.mjs'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')
const EMPTY = join(import.meta.dirname, '../baselines/empty.mjs')

/** How long it takes until the program is there. */
export function startUpRows(folder) {
  const ten = join(folder, 'ten.eval.yaml')
  writeFileSync(ten, suiteOf(10))
  return [
    { name: 'start: --version', ours: [PROGRAM, '--version'], baseline: [EMPTY], limit: 2, runs: 21 },
    { name: 'start: validate 10 tests', ours: [PROGRAM, 'validate', ten], baseline: [EMPTY], limit: 4.5, runs: 21 },
  ]
}
