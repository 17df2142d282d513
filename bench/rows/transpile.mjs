import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, plain } from '../programs.mjs'

const TESTS = 5000

/** Transpiles a suite to evals.json, compared with reading YAML and writing its text. */
export function transpileRows(folder) {
  const home = join(folder, 'transpile')
  mkdirSync(home, { recursive: true })
  const tests = Array.from({ length: TESTS }, (_, index) => ({
    id: `test-${index}`,
    criteria: `Adds ${index} and ${index}`,
    input: `What is ${index} + ${index}?`,
    expected_output: String(2 * index),
    assert: [
      { type: 'trigger_judge', skill: 'sums', should_trigger: index % 2 === 0 },
      { type: 'contains', value: String(2 * index) },
      { type: 'regex', value: '\\d+' },
      { type: 'rubrics', criteria: 'Is polite' },
    ],
  }))
  const suite = join(home, 'EVAL.yaml')
  writeFileSync(suite, JSON.stringify({ name: 'sums', tests }, null, 1))
  return [
    {
      name: 'transpile: 5,000 tests',
      ours: assay('transpile', suite, '--out-dir', join(home, 'out')),
      baseline: plain('transpile', suite, join(home, 'plain.json')),
      limit: 3,
      runs: 7,
    },
  ]
}
