// Parses a suite or a dataset, selects the answers by pattern, runs the text checks and writes the same records as a run.
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { record } from './record.mjs'

const [, , path, runs] = process.argv
const folder = mkdtempSync(`${runs}-baseline-`)
const files = {
  answers: openSync(join(folder, 'answers.jsonl'), 'a'),
  results: openSync(join(folder, 'results.jsonl'), 'a'),
}
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
