import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, plain, validateTask } from '../programs.mjs'
import { suiteOf } from '../suite.mjs'

/** Loads and validates a large suite, compared with js-yaml alone, and rows of CSV, compared with tests in JSONL. */
export function loadRows(folder) {
  const suite = join(folder, 'many.eval.yaml')
  writeFileSync(suite, suiteOf(10_000))
  const { csv, inline, jsonl } = writeRows(folder, 10_000)
  return [
    { name: 'load: 10,000 tests', ...validateTask(suite), baseline: plain('load-yaml', suite), limit: 2, runs: 7 },
    {
      name: 'load: 10,000 CSV rows, against JSONL',
      ours: assay('validate', csv),
      baseline: assay('validate', jsonl),
      limit: 1.5,
      runs: 7,
    },
    {
      name: 'load: 10,000 rows in the suite, against JSONL',
      ours: assay('validate', inline),
      baseline: assay('validate', jsonl),
      limit: 2,
      runs: 5,
    },
  ]
}

/** The same tests as rows of a CSV file, as rows in the suite and as lines of a JSONL file. */
function writeRows(folder, count) {
  const test = (first, second, sum) => ({
    criteria: `Adds ${first} and ${second}`,
    input: `What is ${first} + ${second}? Answer with the number first.`,
    expected_output: sum,
    assert: [
      { type: 'contains', value: sum },
      { type: 'regex', value: '\\d+' },
    ],
  })
  const numbers = Array.from({ length: count }, (_, index) => index)
  const csv = join(folder, 'rows.eval.yaml')
  const template = { id: 'addition', ...test('{{first}}', '{{second}}', '{{sum}}'), rows: 'numbers.csv' }
  writeFileSync(csv, JSON.stringify({ name: 'rows', tests: [template] }))
  const cells = numbers.map(index => `${index},${index},"${index}",${2 * index}\n`)
  writeFileSync(join(folder, 'numbers.csv'), `id,first,second,sum\n${cells.join('')}`)
  const inline = join(folder, 'inline.eval.yaml')
  const rows = numbers.map(index => ({ id: index, first: index, second: String(index), sum: 2 * index }))
  writeFileSync(inline, JSON.stringify({ name: 'inline', tests: [{ ...template, rows }] }))
  const jsonl = join(folder, 'lines.jsonl')
  writeFileSync(join(folder, 'lines.yaml'), 'name: lines\n')
  const lines = numbers.map(index =>
    JSON.stringify({ id: `addition-${index}`, ...test(`${index}`, `${index}`, `${2 * index}`) }),
  )
  writeFileSync(jsonl, `${lines.join('\n')}\n`)
  return { csv, inline, jsonl }
}
