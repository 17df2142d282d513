// Parses a suite or a dataset, selects the answers by pattern, runs the text checks and writes the same records as a run.
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { openRecords, record } from './record.mjs'

const [, , path, runs] = process.argv
const files = openRecords(runs, path)
const text = readFileSync(path, 'utf8')
const tests = path.endsWith('.jsonl')
  ? text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  : load(text).tests
const pattern = /What is/
for (const [index, test] of tests.entries()) {
  if (pattern.test(test.input)) record(files, index, test, 'The sum is 42, if you please.')
}
