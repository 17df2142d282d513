import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../../server.mjs'
import { assay, exitsWith } from '../step.mjs'
import { writeTargets } from '../targets.mjs'

const CHECKS = {
  contains: { type: 'contains', value: 'the end' },
  icontains: { type: 'icontains', value: 'THE END' },
  regex: { type: 'regex', value: 'the\\s+end' },
  'regex with a repeated group': { type: 'regex', value: '(?:\\w+ )+end' },
  is_json: { type: 'is_json' },
  'is_json in a fence': { type: 'is_json', allow_fenced: true },
  equals: { type: 'equals', value: 'something else' },
  field_accuracy: { type: 'field_accuracy', fields: [{ path: 'sum', match: 'exact' }] },
  code_judge: { type: 'code_judge', script: [process.execPath, './judge.mjs'] },
  llm_judge: { type: 'llm_judge' },
}

const JUDGE = `let text = ''
for await (const chunk of process.stdin) text += chunk
console.log(JSON.stringify({ score: JSON.parse(text).answer.includes('the end') ? 1 : 0 }))
`

const begin = () => startServer('model-server.mjs')

export const answers = [
  { name: 'answers: one, from a table', unit: 'MB', least: 0.0001, sizes: [0.2, 2, 20], begin, steps: checkSteps },
  { name: 'answers: one, of a program', unit: 'MB', least: 0.0001, sizes: [0.09, 0.9, 9], steps: programSteps },
  {
    name: 'answers: one, over http',
    unit: 'MB',
    least: 0.0001,
    sizes: [0.09, 0.9, 9],
    begin: size => startServer('../scale/servers/big-answer.mjs', String(size)),
    steps: httpSteps,
  },
]

/** Lines of words, with the searched text at the end. */
export function answerOf(megabytes) {
  const line = 'All work and no play makes Jack a dull boy, says "the sum".\n'
  return `${line.repeat((megabytes * 1e6) / line.length + 1)}the end`
}

function checkSteps(home, size, url) {
  writeFileSync(join(home, 'judge.mjs'), JUDGE)
  const judge = { name: 'judge', provider: 'openai_compatible', model: 'judge-model', base_url: url, api_key: 'none' }
  writeTargets(home, [
    { name: 'default', provider: 'mock', response: answerOf(size) },
    judge,
    { name: 'again', provider: 'replay', from: 'latest' },
  ])
  for (const [name, check] of Object.entries(CHECKS)) writeSuite(home, name, check)
  return [
    ...Object.keys(CHECKS).map(name => checked(name)),
    assay('replay', 'eval', 'contains.eval.yaml', '--quiet', '--target', 'again'),
    assay('terminal, verbose', 'eval', 'contains.eval.yaml', '--verbose'),
    assay('log', 'eval', 'contains.eval.yaml', '--quiet', '--log'),
    assay('log again', 'eval', 'contains.eval.yaml', '--quiet', '--log'),
    assay('log diff', 'log', 'diff', 'say_it'),
    assay('report html', 'report', 'latest', '-o', 'out.html'),
    assay('report text', 'report', 'latest', '-o', 'out.txt'),
    assay('resume of a finished run', 'eval', 'contains.eval.yaml', '--quiet', '--resume'),
    assay('grade', 'grade', 'latest', '--quiet'),
  ]
}

/** Checks that need JSON or equality fail on these answers. A slow pattern may time out, so its exit code is not checked. */
function checked(name) {
  const codes = { is_json: 1, 'is_json in a fence': 1, equals: 1, field_accuracy: 1 }
  const exit = name.startsWith('regex with') ? undefined : (codes[name] ?? 0)
  return exitsWith(exit, assay(name, 'eval', `${name}.eval.yaml`, '--quiet'))
}

function writeSuite(home, name, check) {
  const test = { id: 'big', criteria: 'Says the end', input: 'Say it', expected_output: { sum: 3 }, assert: [check] }
  writeFileSync(join(home, `${name}.eval.yaml`), JSON.stringify({ name: 'big-answers', version: '1.0', tests: [test] }))
}

function programSteps(home, size) {
  writeFileSync(join(home, 'answer.txt'), answerOf(size))
  writeTargets(home, [
    { name: 'default', provider: 'cli', command: ['cat', 'answer.txt'] },
    { name: 'file', provider: 'cli', command: ['cp', 'answer.txt', '{OUTPUT_FILE}'] },
  ])
  writeSuite(home, 'contains', CHECKS.contains)
  return [
    assay('stdout', 'eval', 'contains.eval.yaml', '--quiet'),
    assay('output file', 'eval', 'contains.eval.yaml', '--quiet', '--target', 'file'),
  ]
}

function httpSteps(home, _, url) {
  writeTargets(home, [
    { name: 'default', provider: 'http', url, response: { text: 'reply.text' } },
    { name: 'plain', provider: 'http', url },
  ])
  writeSuite(home, 'contains', CHECKS.contains)
  return [
    assay('a path in JSON', 'eval', 'contains.eval.yaml', '--quiet'),
    assay('the whole body', 'eval', 'contains.eval.yaml', '--quiet', '--target', 'plain'),
  ]
}
