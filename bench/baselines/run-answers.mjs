// Asks a chat completions server each input of a .jsonl, with limited concurrency, and writes the same records as a run.
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { record } from './record.mjs'

const [, , path, urlFile, runs, workers] = process.argv
const url = `${readFileSync(urlFile, 'utf8')}/chat/completions`
const folder = mkdtempSync(`${runs}-baseline-`)
const files = {
  answers: openSync(join(folder, 'answers.jsonl'), 'a'),
  results: openSync(join(folder, 'results.jsonl'), 'a'),
}
const tests = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))
let next = 0
await Promise.all(Array.from({ length: Number(workers) }, work))

async function work() {
  while (next < tests.length) {
    const index = next++
    const body = JSON.stringify({ model: 'judge-model', messages: [{ role: 'user', content: tests[index].input }] })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { choices } = JSON.parse(await response.text())
    record(files, index, tests[index], choices[0].message.content)
  }
}
