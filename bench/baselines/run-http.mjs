// Sends each input of a .jsonl to a server, with `chat` to one of chat completions, with limited concurrency, and writes the
// same records as a run.
import { readFileSync } from 'node:fs'
import { openRecords, record } from './record.mjs'

const [, , path, urlFile, runs, workers, protocol = 'plain'] = process.argv
const { route, bodyOf, textOf } = {
  plain: { route: '', bodyOf: question => ({ question }), textOf: ({ reply }) => reply.text },
  chat: {
    route: '/chat/completions',
    bodyOf: content => ({ model: 'judge-model', messages: [{ role: 'user', content }] }),
    textOf: ({ choices }) => choices[0].message.content,
  },
}[protocol]
const url = `${readFileSync(urlFile, 'utf8')}${route}`
const files = openRecords(runs, path)
const tests = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))
let next = 0
await Promise.all(Array.from({ length: Number(workers) }, work))

async function work() {
  while (next < tests.length) {
    const index = next++
    const body = JSON.stringify(bodyOf(tests[index].input))
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    record(files, index, tests[index], textOf(JSON.parse(await response.text())))
  }
}
