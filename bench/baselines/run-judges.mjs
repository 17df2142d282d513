// Runs the judge of each test of a .jsonl, with limited concurrency, and reads its score.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [, , path, workers] = process.argv
const tests = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))
let next = 0
let score = 0
await Promise.all(Array.from({ length: Number(workers) }, work))
if (score !== tests.length) process.exitCode = 1

async function work() {
  while (next < tests.length) {
    const output = await judged(tests[next++])
    score += output.score
  }
}

function judged({ id, criteria, input, assert: [{ script }] }) {
  const [program, ...args] = script
  const child = spawn(program, args, { cwd: dirname(path) })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stdin.end(JSON.stringify({ test_id: id, question: input, criteria, answer: 'The sum is 42.' }))
  return new Promise(resolve => child.on('close', () => resolve(JSON.parse(stdout))))
}
