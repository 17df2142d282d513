import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, evalTask, plain, validateTask } from '../programs.mjs'
import { runSuiteOf, suiteOf } from '../suite.mjs'

/** Starts the program, compared with Node alone. */
export function startUpRows(folder) {
  const home = join(folder, 'ten')
  mkdirSync(home, { recursive: true })
  const ten = join(home, 'ten.eval.yaml')
  writeFileSync(ten, suiteOf(10))
  const mocked = join(home, 'mocked.eval.yaml')
  writeFileSync(mocked, runSuiteOf(10))
  const target = ['name: default', 'provider: mock', 'response: The sum is 42, if you please.'].join('\n    ')
  writeFileSync(join(home, 'targets.yaml'), `targets:\n  - ${target}\n`)
  const baseline = plain('empty')
  const parts = join(home, 'validate-parts.mjs')
  return [
    { name: 'start: --version', ours: assay('--version'), baseline, limit: 1.3, runs: 21 },
    { name: 'start: validate 10 tests', ...validateTask(ten), baseline, limit: 2, runs: 21 },
    {
      name: 'start: validate 10 tests, against its libraries',
      ours: validateTask(ten).ours,
      baseline: [parts, 'validate', ten],
      begin: () => bundle(plain('validate-parts')[0], parts),
      limit: 2.25,
      runs: 21,
    },
    { name: 'start: eval 10 mock tests', ...evalTask(mocked, join(folder, 'runs')), baseline, limit: 3, runs: 21 },
  ]
}

/** Builds a program into one file, as ours is built. In a process of its own, whose memory is not measured. */
function bundle(input, file) {
  const rolldown = join(import.meta.dirname, '../../node_modules/rolldown/bin/cli.mjs')
  execFileSync(process.execPath, [rolldown, input, '--file', file, '--platform', 'node', '--minify'])
}
