import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suiteOf } from '../suite.mjs'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')
const LOAD = join(import.meta.dirname, '../baselines/load-yaml.mjs')

/** How long it takes to read and check a large suite. */
export function loadRows(folder) {
  const file = count => {
    const path = join(folder, `${count}.eval.yaml`)
    writeFileSync(path, suiteOf(count))
    return path
  }
  const validate = path => [PROGRAM, 'validate', path]
  const [ten, twenty] = [file(10_000), file(20_000)]
  return [
    { name: 'load: 10,000 tests / js-yaml alone', ours: validate(ten), baseline: [LOAD, ten], limit: 2, runs: 7 },
    { name: 'load: 20,000 tests / 10,000 tests', ours: validate(twenty), baseline: validate(ten), limit: 2.3, runs: 7 },
  ]
}
