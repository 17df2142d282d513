import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../../suite.mjs'
import { assay, setUp } from '../step.mjs'
import { writeMock } from '../targets.mjs'

export const logs = [
  { name: 'logs: a folder of them', unit: 'logs', least: 1, sizes: [100, 1_000, 10_000], steps: manyLogs },
  { name: 'logs: one with many runs', unit: 'runs', least: 1, sizes: [50, 500, 5_000], steps: manyRuns },
]

function manyLogs(home, count) {
  writeMock(home)
  writeFileSync(join(home, 'many.jsonl'), linesOf(count))
  return [
    assay('eval --log, all of them new', 'eval', 'many.jsonl', '--quiet', '--log'),
    assay('log import, all of them again', 'log', 'import', 'latest'),
    assay('log list', 'log', 'list'),
    assay('log show', 'log', 'show', 'what_is_0_0_answer_with_the_number_first'),
    assay('log run, one more', 'log', 'run', 'What is one more?'),
    assay('log to-eval', 'log', 'to-eval', '-o', 'made.eval.yaml'),
  ]
}

function manyRuns(home, count) {
  writeMock(home)
  writeLog(home, count)
  return [
    assay('log list', 'log', 'list'),
    assay('log show', 'log', 'show', 'what_is_it'),
    assay('log run, one more', 'log', 'run', 'What is it?'),
    assay('log diff', 'log', 'diff', 'what_is_it', '--runs', `${count},${count + 1}`),
    assay('log expect', 'log', 'expect', 'what_is_it'),
    assay('log eval', 'log', 'eval', '--quiet'),
    setUp(assay('one more', 'log', 'run', 'What is it?')),
  ]
}

/** Writes a log with many runs directly, since adding them one by one takes too long. */
function writeLog(home, count) {
  const folder = join(home, '.co/evals/what_is_it')
  mkdirSync(folder, { recursive: true })
  const meta = '{"tokens": 10, "cost": 0.001, "duration_ms": 5, "ts": "2026-01-01 00:00:00"}'
  const run = (number, indent) =>
    ['output: The sum is 42, if you please.', 'tools_called: []', "expected: ''", "evaluation: ''", `meta: '${meta}'`]
      .map(line => `${indent}${line}\n`)
      .join('')
      .replace(/^/, `${number}\n`)
  const history = Array.from({ length: count - 1 }, (_, index) => `  - run: ${run(count - 1 - index, '    ')}`)
  const text = `name: what_is_it\ncreated: '2026-01-01 00:00:00'\nupdated: '2026-01-01 00:00:00'\nruns: ${count}\nmodel: default\nturns:\n- input: What is it?\n  run: ${run(count, '  ')}  history:${history.length === 0 ? ' []\n' : `\n${history.join('')}`}`
  writeFileSync(join(home, '.co/evals/what_is_it.yaml'), text)
  for (let number = 1; number <= count; number++) {
    writeFileSync(
      join(folder, `run_${number}.yaml`),
      'system_prompt: ""\nmodel: "default"\nmessages: |\n  [\n    {"role": "user", "content": "What is it?"},\n    {"role": "assistant", "content": "The sum is 42, if you please."}\n  ]\n',
    )
  }
}
