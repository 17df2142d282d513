import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, exitsWith } from '../step.mjs'

const SIZES = { unit: 'diagnostics', least: 1, sizes: [100, 1_000, 10_000] }

export const diagnostics = [
  {
    name: 'diagnostics: in one YAML file',
    ...SIZES,
    steps: (home, count) => stepsOn(home, 'EVAL.yaml', yamlOf(count)),
  },
  {
    name: 'diagnostics: in one JSONL file',
    ...SIZES,
    steps: (home, count) => stepsOn(home, 'bad.jsonl', linesOf(count)),
  },
  {
    name: 'diagnostics: on one long line',
    ...SIZES,
    steps: (home, count) => stepsOn(home, 'EVAL.yaml', flowOf(count)),
  },
  {
    name: 'diagnostics: the same id in every test',
    ...SIZES,
    steps: (home, count) => stepsOn(home, 'EVAL.yaml', sameIds(count + 1)),
  },
]

function stepsOn(home, file, text) {
  writeFileSync(join(home, file), text)
  return ['text', 'json', 'sarif', 'github'].map(format =>
    exitsWith(2, assay(`validate --format ${format}`, 'validate', file, '--format', format)),
  )
}

/** A test with one of four errors in turn: an unknown key, an invalid pattern, an unknown type, a missing input. */
function testOf(index) {
  const check =
    index % 4 === 1 ? { type: 'regex', value: '(' } : { type: index % 4 === 2 ? 'contain' : 'contains', value: 'x' }
  return {
    id: `test-${index}`,
    criteria: 'Is good',
    ...(index % 4 === 3 ? {} : { input: 'Hello' }),
    ...(index % 4 === 0 ? { critera: 'Is bad' } : {}),
    assert: [check],
  }
}

function testsOf(count) {
  return Array.from({ length: count }, (_, index) => testOf(index))
}

function yamlOf(count) {
  return `name: bad\nversion: "1.0"\ntests:\n${testsOf(count).map(blockOf).join('')}`
}

function blockOf(test) {
  const lines = Object.entries(test).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`).join('')
}

function linesOf(count) {
  return testsOf(count)
    .map(test => `${JSON.stringify(test)}\n`)
    .join('')
}

function flowOf(count) {
  return JSON.stringify({ name: 'bad', version: '1.0', tests: testsOf(count) })
}

function sameIds(count) {
  const tests = Array.from({ length: count }, () => ({ ...testOf(0), critera: undefined, id: 'same' }))
  return `name: bad\nversion: "1.0"\ntests:\n${tests.map(({ critera, ...test }) => blockOf(test)).join('')}`
}
