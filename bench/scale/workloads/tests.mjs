import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf, runSuiteOf } from '../../suite.mjs'
import { assay, setUp } from '../step.mjs'
import { writeMock } from '../targets.mjs'

const SIZES = { unit: 'tests', least: 4, sizes: [1_000, 10_000, 100_000] }

const FORMATS = ['text', 'markdown', 'junit', 'csv', 'json', 'jsonl', 'github', 'html']

/** The number of tests per imported file. */
const PER_FILE = 100

export const tests = [
  { name: 'tests: YAML in one file', ...SIZES, steps: yamlSteps },
  { name: 'tests: YAML in many imported files', ...SIZES, steps: importSteps },
  { name: 'tests: JSONL', ...SIZES, steps: lineSteps },
]

function yamlSteps(home, count) {
  writeMock(home)
  writeFileSync(join(home, 'EVAL.yaml'), runSuiteOf(count))
  const shards = [1, 2, 3, 4]
  const evaluate = number => ['eval', 'EVAL.yaml', '--quiet', '--shard', `${number}/4`, '--runs-dir', `shard-${number}`]
  return [
    ...ordinarySteps('EVAL.yaml'),
    ...FORMATS.map(format => assay(`report ${format}`, 'report', 'latest', '--format', format, '-o', `out.${format}`)),
    assay('compare with itself', 'compare', 'latest', 'latest'),
    assay('grade', 'grade', 'latest', '--quiet'),
    ...shards.map(number => setUp(assay(`shard ${number}`, ...evaluate(number)))),
    assay('merge of 4 shards', 'merge', '--quiet', ...shards.map(number => runIn(home, `shard-${number}`))),
  ]
}

/** The only run in a folder, found when the step starts. */
function runIn(home, folder) {
  return () => {
    const run = readdirSync(join(home, folder)).find(name => name !== 'latest')
    return join(folder, run)
  }
}

function ordinarySteps(suite) {
  return [
    assay('validate', 'validate', suite),
    assay('list', 'list', suite),
    assay('eval', 'eval', suite, '--quiet'),
    assay('resume of a finished run', 'eval', suite, '--quiet', '--resume'),
  ]
}

function importSteps(home, count) {
  writeMock(home)
  mkdirSync(join(home, 'parts'))
  const lines = linesOf(count).trimEnd().split('\n')
  for (let start = 0; start < lines.length; start += PER_FILE) {
    const part = lines.slice(start, start + PER_FILE)
    writeFileSync(join(home, 'parts', `${start}.yaml`), part.map(line => `- ${line}\n`).join(''))
  }
  writeFileSync(join(home, 'EVAL.yaml'), 'name: many-tests\nversion: "1.0"\ntests:\n  - parts/*.yaml\n')
  return ordinarySteps('EVAL.yaml')
}

function lineSteps(home, count) {
  writeMock(home)
  writeFileSync(join(home, 'many.jsonl'), linesOf(count))
  return ordinarySteps('many.jsonl')
}
