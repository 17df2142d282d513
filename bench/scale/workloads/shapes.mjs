import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suiteOf } from '../../suite.mjs'
import { assay, exitsWith, setUp } from '../step.mjs'
import { writeMock } from '../targets.mjs'

export const shapes = [
  { name: 'transpile: one suite', unit: 'tests', least: 1, sizes: [100, 1_000, 10_000], steps: transpiled },
  { name: 'shapes: values nested deep', unit: 'levels', least: 1, sizes: [1_000, 10_000, 100_000], steps: nested },
  {
    name: 'shapes: many levels within what is allowed',
    unit: 'tests',
    least: 1,
    sizes: [20, 200, 2_000],
    steps: allowedNesting,
  },
  { name: 'shapes: one long line', unit: 'MB', least: 0.001, sizes: [0.2, 2, 20], steps: longLine },
  {
    name: 'shapes: one test with many checks',
    unit: 'checks',
    least: 1,
    sizes: [100, 1_000, 10_000],
    steps: manyChecks,
  },
  {
    name: 'shapes: one test with many messages',
    unit: 'messages',
    least: 1,
    sizes: [100, 1_000, 10_000],
    steps: manyMessages,
  },
  {
    name: 'shapes: one test tried many times',
    unit: 'trials',
    least: 1,
    sizes: [4, 20, 100],
    steps: manyTrials,
  },
  { name: 'shapes: aliases', unit: 'aliases', least: 1, sizes: [100, 1_000, 10_000], steps: aliases },
]

function transpiled(home, count) {
  writeFileSync(join(home, 'EVAL.yaml'), suiteOf(count))
  return [
    assay('transpile', 'transpile', 'EVAL.yaml', '--out-dir', 'out'),
    assay('transpile --check', 'transpile', 'EVAL.yaml', '--out-dir', 'out', '--check'),
    assay('transpile --from', 'transpile', '--from', 'out/_no-skill.json', '-o', 'back.eval.yaml'),
    assay('validate the result', 'validate', 'back.eval.yaml'),
  ]
}

/** More than 100 levels are an error. */
function nested(home, levels) {
  writeMock(home)
  const deep = `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const suite = `name: deep\nversion: "1.0"\ntests:\n  - id: deep\n    criteria: Is deep\n    input: What is it?\n    metadata:\n      deep: ${deep}\n`
  writeFileSync(join(home, 'EVAL.yaml'), suite)
  writeFileSync(
    join(home, 'deep.jsonl'),
    `{"id":"deep","criteria":"Is deep","input":"What is it?","metadata":{"deep":${deep}}}\n`,
  )
  const code = levels > 90 ? 2 : 0
  return [
    exitsWith(code, assay('validate YAML', 'validate', 'EVAL.yaml')),
    exitsWith(code, assay('validate JSONL', 'validate', 'deep.jsonl')),
  ]
}

function allowedNesting(home, count) {
  writeMock(home)
  const deep = `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`
  const tests = Array.from(
    { length: count },
    (_, index) =>
      `  - id: t${index}\n    criteria: Is deep\n    input: What is it?\n    assert: [{type: contains, value: sum}]\n    metadata:\n      deep: ${deep}\n`,
  )
  writeFileSync(join(home, 'EVAL.yaml'), `name: deep\nversion: "1.0"\ntests:\n${tests.join('')}`)
  return [assay('validate', 'validate', 'EVAL.yaml'), assay('eval', 'eval', '--quiet')]
}

function longLine(home, size) {
  writeMock(home)
  const text = 'What is the sum? '.repeat((size * 1e6) / 17 + 1)
  const suite = value =>
    `name: long\nversion: "1.0"\ntests:\n  - id: long\n    criteria: Is long\n    input: ${value}\n    assert: [{type: contains, value: sum}]\n`
  writeFileSync(join(home, 'plain.eval.yaml'), suite(text.replaceAll('?', '')))
  writeFileSync(join(home, 'quoted.eval.yaml'), suite(JSON.stringify(text)))
  writeFileSync(
    join(home, 'folded.eval.yaml'),
    suite(`>\n${text.replace(/(?:\S+ ){12}/g, line => `      ${line.trim()}\n`).replace(/(?<=\n)(?=\S)/, '      ')}`),
  )
  writeFileSync(join(home, 'bad.eval.yaml'), suite(`${JSON.stringify(text)}\n    critera: x`))
  return [
    assay('validate plain', 'validate', 'plain.eval.yaml'),
    assay('validate quoted', 'validate', 'quoted.eval.yaml'),
    assay('validate folded', 'validate', 'folded.eval.yaml'),
    exitsWith(2, assay('validate with an error after it', 'validate', 'bad.eval.yaml')),
    assay('eval', 'eval', 'quoted.eval.yaml', '--quiet'),
    assay('eval --log', 'eval', 'quoted.eval.yaml', '--quiet', '--log'),
    assay('report html', 'report', 'latest', '-o', 'out.html'),
  ]
}

function manyChecks(home, count) {
  writeMock(home)
  const assert = Array.from({ length: count }, (_, index) => ({
    type: 'contains',
    value: index % 2 === 0 ? 'sum' : 'please',
  }))
  writeFileSync(
    join(home, 'EVAL.yaml'),
    JSON.stringify({
      name: 'checks',
      version: '1.0',
      tests: [{ id: 'one', criteria: 'Is good', input: 'What is it?', assert }],
    }),
  )
  return [
    assay('validate', 'validate', 'EVAL.yaml'),
    assay('eval', 'eval', '--quiet'),
    assay('report html', 'report', 'latest', '-o', 'out.html'),
  ]
}

function manyMessages(home, count) {
  writeMock(home)
  const input = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `What is ${index}?`,
  }))
  if (count % 2 === 0) input.push({ role: 'user', content: 'What is it?' })
  const test = { id: 'one', criteria: 'Is good', input, assert: [{ type: 'contains', value: 'sum' }] }
  writeFileSync(join(home, 'EVAL.yaml'), JSON.stringify({ name: 'messages', version: '1.0', tests: [test] }))
  return [
    assay('validate', 'validate', 'EVAL.yaml'),
    assay('eval --log', 'eval', '--quiet', '--log'),
    assay('log show', 'log', 'show', 'what_is_0'),
  ]
}

function manyTrials(home, count) {
  writeMock(home)
  const test = { id: 'one', criteria: 'Is good', input: 'What is it?', assert: [{ type: 'contains', value: 'sum' }] }
  writeFileSync(join(home, 'EVAL.yaml'), JSON.stringify({ name: 'trials', version: '1.0', tests: [test] }))
  return [
    assay('eval', 'eval', '--quiet', '--trials', String(count)),
    setUp(assay('again', 'eval', '--quiet', '--trials', String(count))),
    assay('compare with itself', 'compare', 'latest', 'latest'),
    assay('report html', 'report', 'latest', '-o', 'out.html'),
    assay('report json', 'report', 'latest', '-o', 'out.json'),
  ]
}

function aliases(home, count) {
  const tests = Array.from(
    { length: count },
    (_, index) =>
      `  - id: t${index}\n    criteria: Is good\n    input: What is it?\n    assert: ${index === 0 ? '&checks [{type: contains, value: sum}]' : '*checks'}\n`,
  )
  writeFileSync(join(home, 'EVAL.yaml'), `name: aliases\nversion: "1.0"\ntests:\n${tests.join('')}`)
  return [assay('validate', 'validate', 'EVAL.yaml')]
}
