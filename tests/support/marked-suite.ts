import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith } from './program.ts'
import { recordsOf } from './runs.ts'

const TARGETS = {
  targets: [
    { name: 'one', provider: 'mock', response: 'yes' },
    { name: 'two', provider: 'mock', response: 'yes' },
    { name: 'mute', provider: 'cli', command: ['false'] },
  ],
}

const says = (id: string, value: string, execution: object = {}) => ({
  id,
  criteria: `Says ${value}`,
  input: id,
  assert: [{ type: 'contains', value }],
  execution,
})
/** A test that passes on `one` and `two`. */
export const passes = (id: string, execution?: object) => says(id, 'yes', execution)
/** A test that fails on `one` and `two`. */
export const fails = (id: string, execution?: object) => says(id, 'no', execution)

export const UNTIL = '9999-12-31'
export const QUARANTINE = { quarantine: { reason: 'a flaky upstream', until: UNTIL } }
export const EXPECTED = { expected_failure: 'wrong currency' }
export const SKIP = { skip: 'no sandbox' }

function suiteOf(tests: readonly object[], execution: object = {}): string {
  return JSON.stringify({ name: 'suite', execution: { target: 'one', ...execution }, tests }, null, 1)
}

/** A folder with a suite of these tests, which `one` answers. */
export function folderOf(tests: readonly object[], execution: object = {}): string {
  return folderWith({ 'EVAL.yaml': suiteOf(tests, execution), '.assay/targets.yaml': JSON.stringify(TARGETS) })
}

/** Writes the suite again, with other tests. */
export const writeSuite = (cwd: string, tests: readonly object[]) =>
  writeFileSync(join(cwd, 'EVAL.yaml'), suiteOf(tests))
/** The recorded attempts: `a on one`. */
export const madeIn = (cwd: string) => recordsOf(cwd).map(({ test_id, target }) => `${test_id} on ${target}`)
