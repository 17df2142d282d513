// `npm run bench [-- NAME…]`: each workload against a plain Node program that does the same, in one run; `compare` is the
// simulation of comparisons.
// Machines are noisy, so only the ratios mean anything; runs of both sides alternate and the median counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.mjs'
import { judgeRows } from './rows/judges.mjs'
import { loadRows } from './rows/load.mjs'
import { runRows } from './rows/run.mjs'
import { startUpRows } from './rows/start-up.mjs'
import { transpileRows } from './rows/transpile.mjs'
import { renderTable } from './table.mjs'

const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
try {
  const all = [startUpRows, loadRows, runRows, judgeRows, transpileRows].flatMap(rows => rows(folder))
  const rows = all.filter(({ name }) => wanted.length === 0 || wanted.some(word => name.includes(word)))
  const results = []
  for (const row of rows) {
    process.stderr.write(`${row.name} …\n`)
    await row.begin?.()
    results.push({ ...row, ...(await measure(row)) })
    row.end?.()
  }
  if (results.length > 0) process.stdout.write(renderTable(results))
  // Rates, not times: what comparisons say of runs of which the truth is known.
  if (wanted.length === 0 || wanted.includes('compare')) await import('./simulate-compare.mjs')
} finally {
  rmSync(folder, { recursive: true })
}
