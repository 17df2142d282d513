import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plain, validating } from '../programs.mjs'
import { suiteOf } from '../suite.mjs'

/** How long it takes to read and check a large suite, against js-yaml alone. */
export function loadRows(folder) {
  const suite = join(folder, 'many.eval.yaml')
  writeFileSync(suite, suiteOf(10_000))
  return [{ name: 'load: 10,000 tests', ...validating(suite), baseline: plain('load-yaml', suite), limit: 2, runs: 7 }]
}
