import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')
const TESTS = 5000

/** How long it takes to write a suite as evals.json, against looking for mistakes in it. */
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
      name: 'transpile: 5,000 tests / validate',
      ours: [PROGRAM, 'transpile', suite, '--out-dir', join(home, 'out')],
      baseline: [PROGRAM, 'validate', suite],
      limit: 1.5,
      runs: 5,
    },
  ]
}
