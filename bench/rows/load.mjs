import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plain, validateTask } from '../programs.mjs'
import { suiteOf } from '../suite.mjs'

/** Loads and validates a large suite, compared with js-yaml alone. */
export function loadRows(folder) {
  const suite = join(folder, 'many.eval.yaml')
  writeFileSync(suite, suiteOf(10_000))
  return [
    { name: 'load: 10,000 tests', ...validateTask(suite), baseline: plain('load-yaml', suite), limit: 2, runs: 7 },
  ]
}
