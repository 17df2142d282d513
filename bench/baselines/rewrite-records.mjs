// Parses and rewrites every result of the newest run.
import { writeFileSync } from 'node:fs'
import { newestResults } from './newest-results.mjs'

const [, , runs, output] = process.argv
writeFileSync(
  output,
  newestResults(runs)
    .map(result => `${JSON.stringify(result)}\n`)
    .join(''),
)
