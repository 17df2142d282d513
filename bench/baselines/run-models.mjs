// Has a model judge an answer for each line of a .jsonl, with limited concurrency, and writes the same records as a run.
import { readFileSync } from 'node:fs'
import { openRecords, record } from './record.mjs'

const [, , path, urlFile, runs, workers] = process.argv
const url = `${readFileSync(urlFile, 'utf8')}/chat/completions`
const files = openRecords(runs, path)
const ANSWER = 'The sum is 42.'
const SYSTEM = 'You judge the answer of an agent. Reply with one JSON object: score, hits, misses, reasoning.'
const headers = { 'content-type': 'application/json', authorization: 'Bearer none' }
const tests = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))
let next = 0
await Promise.all(Array.from({ length: Number(workers) }, work))

async function work() {
  while (next < tests.length) {
    const index = next++
    const judgement = await judge(tests[index])
    const passed = judgement.score >= 0.8
    record(files, index, tests[index], ANSWER, [
      { name: 'llm_judge', type: 'llm_judge', weight: 1, passed, ...judgement },
    ])
  }
}

async function judge({ input, criteria }) {
  const content = `# Question\n${input}\n\n# Criteria\n${criteria}\n\n# Answer\n${ANSWER}`
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content },
  ]
  const body = { model: 'judge-model', temperature: 0, messages, response_format: { type: 'json_object' } }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { choices } = JSON.parse(await response.text())
  return JSON.parse(choices[0].message.content)
}
