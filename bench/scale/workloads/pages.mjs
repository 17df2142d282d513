import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../../suite.mjs'
import { assay, setUp } from '../step.mjs'
import { writeMock, writeTargets } from '../targets.mjs'
import { answerOf } from './answers.mjs'

const OPEN = join(import.meta.dirname, '../open-page.mjs')
const CHROMIUM = '/usr/bin/chromium'

/** Measures the page in a browser; skipped if none is installed. */
export const pages = existsSync(CHROMIUM)
  ? [
      {
        name: 'page: many tests in the browser',
        unit: 'tests',
        least: 1,
        sizes: [1_000, 10_000, 100_000],
        steps: manyTests,
      },
      { name: 'page: one big answer in the browser', unit: 'MB', least: 0.0001, sizes: [0.2, 2, 20], steps: bigAnswer },
      {
        name: 'page: one long transcript in the browser',
        unit: 'calls',
        least: 1,
        sizes: [50, 500, 5_000],
        steps: longTranscript,
      },
    ]
  : []

const looks = what => ({ name: what, args: [OPEN, CHROMIUM, 'out.html', what] })

const steps = () => ['load', 'filter', 'open a row'].map(looks)

const report = suite => [
  setUp({ ...assay('eval', 'eval', suite, '--quiet'), exit: undefined }),
  setUp(assay('report', 'report', 'latest', '-o', 'out.html')),
]

function manyTests(home, count) {
  writeMock(home)
  writeFileSync(join(home, 'many.jsonl'), linesOf(count))
  return [...report('many.jsonl'), ...steps()]
}

function bigAnswer(home, size) {
  writeTargets(home, [{ name: 'default', provider: 'mock', response: answerOf(size) }])
  writeFileSync(join(home, 'one.jsonl'), linesOf(1))
  return [...report('one.jsonl'), ...steps()]
}

function longTranscript(home, count) {
  const tool_calls = Array.from({ length: count }, (_, index) => ({
    tool: 'read_file',
    input: { path: `file-${index}` },
    output: `line ${index}`,
  }))
  writeTargets(home, [
    { name: 'default', provider: 'mock', responses: [{ pattern: '.', response: 'Done.', tool_calls }] },
  ])
  writeFileSync(join(home, 'one.jsonl'), linesOf(1))
  return [...report('one.jsonl'), ...steps()]
}
