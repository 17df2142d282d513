import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, evalTask, plain } from '../programs.mjs'
import { linesOf } from '../suite.mjs'

const TARGETS = [{ name: 'default', provider: 'mock', response: 'The sum is 42, if you please.' }]

/** Reports and compares a large run, compared with parsing and rewriting its records. */
export function reportRows(folder) {
  const home = join(folder, 'report')
  const runs = join(home, 'runs')
  mkdirSync(home, { recursive: true })
  const suite = join(home, 'many.jsonl')
  writeFileSync(suite, linesOf(10_000))
  writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets: TARGETS }))
  const begin = () => {
    if (!readdirSync(home).includes('runs')) execFileSync(process.execPath, evalTask(suite, runs).ours)
  }
  const latest = ['latest', '--runs-dir', runs]
  const row = (name, ours, baseline) => ({
    name: `report: 10,000 results ${name}`,
    ours,
    baseline,
    begin,
    limit: 4,
    runs: 7,
  })
  const reported = file => assay('report', ...latest, '-o', join(home, file))
  const rewritten = plain('rewrite-records', runs, join(home, 'plain.jsonl'))
  return [
    row('as HTML', reported('page.html'), rewritten),
    row('as JUnit', reported('junit.xml'), rewritten),
    row('compared with themselves', assay('compare', 'latest', ...latest), plain('compare-records', runs)),
  ]
}
