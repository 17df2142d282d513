import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../../suite.mjs'
import { assay } from '../step.mjs'
import { writeMock } from '../targets.mjs'

const SIZES = { unit: 'MB', least: 0, sizes: [2, 20, 200] }
const BIG_LINES = 20

export const lines = [
  { name: 'dataset: JSONL of few big lines', ...SIZES, steps: (home, size) => stepsOn(home, bigLines(size)) },
  { name: 'dataset: JSONL of many small lines', ...SIZES, steps: (home, size) => stepsOn(home, smallLines(size)) },
]

function stepsOn(home, texts) {
  writeMock(home)
  const file = openSync(join(home, 'data.jsonl'), 'w')
  for (const text of texts) writeSync(file, text)
  closeSync(file)
  return [
    assay('validate', 'validate', 'data.jsonl'),
    assay('list', 'list', 'data.jsonl'),
    assay('eval', 'eval', 'data.jsonl', '--quiet'),
    assay('eval of one test', 'eval', 'data.jsonl', '--quiet', '--test-id', 'addition-0'),
  ]
}

function* bigLines(megabytes) {
  const words = 'What is the sum of all the numbers here? '.repeat((megabytes * 1e6) / BIG_LINES / 41)
  for (let index = 0; index < BIG_LINES; index++) {
    const test = {
      id: `addition-${index}`,
      criteria: 'Adds',
      input: `What is it? ${words}`,
      assert: [{ type: 'contains', value: 'sum' }],
    }
    yield `${JSON.stringify(test)}\n`
  }
}

function* smallLines(megabytes) {
  // Ids must be unique, so a block of lines cannot be repeated.
  const block = linesOf(1_000)
  for (let index = 0, written = 0; index === 0 || written < megabytes * 1e6; index++) {
    const text = index === 0 ? block : block.replaceAll('"id":"addition-', `"id":"addition-${index}-`)
    written += text.length
    yield megabytes === 0 ? text.slice(0, text.indexOf('\n') + 1) : text
  }
}
