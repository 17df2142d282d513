import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.mjs'
import { linesOf, runSuiteOf } from '../suite.mjs'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')
const BASELINES = join(import.meta.dirname, '../baselines')

const MOCK = `targets:
  - name: default
    provider: mock
    responses:
      - pattern: What is
        response: The sum is 42, if you please.
`

/** How long it takes to run many tests whose answers come at once. */
export function runRows(folder) {
  const runs = join(folder, 'runs')
  const home = join(folder, 'mock')
  mkdirSync(home, { recursive: true })
  const write = (name, text) => {
    writeFileSync(join(home, name), text)
    return join(home, name)
  }
  write('targets.yaml', MOCK)
  const yaml = write('many.eval.yaml', runSuiteOf(10_000))
  const ten = write('ten.jsonl', linesOf(10_000))
  const hundred = write('hundred.jsonl', linesOf(100_000))
  const evaluate = path => [PROGRAM, 'eval', path, '--quiet', '--runs-dir', runs]
  return [
    {
      name: 'run: 10,000 mock tests / plain matches',
      ours: evaluate(yaml),
      baseline: [join(BASELINES, 'run-mock.mjs'), yaml, runs],
      limit: 3,
      memoryLimit: 400e6,
      runs: 9,
    },
    {
      name: 'run: 100,000 lines / 10,000 lines',
      ours: evaluate(hundred),
      baseline: evaluate(ten),
      limit: 11,
      memoryLimit: 600e6,
      runs: 3,
    },
    httpRow(folder, runs),
  ]
}

const HTTP_TESTS = 1000
const WORKERS = 50

/** Against a server of its own that takes 50 ms for each answer. Starting up, an eval of one test, is not counted. */
function httpRow(folder, runs) {
  const home = join(folder, 'http')
  mkdirSync(home, { recursive: true })
  const suite = join(home, 'many.jsonl')
  const one = join(home, 'one.jsonl')
  const urls = join(home, 'url.txt')
  writeFileSync(suite, linesOf(HTTP_TESTS))
  writeFileSync(one, linesOf(1))
  const evaluate = path => [PROGRAM, 'eval', path, '--quiet', '--runs-dir', runs, '--workers', String(WORKERS)]
  const baseline = path => [join(BASELINES, 'run-http.mjs'), path, urls, runs, String(WORKERS)]
  let server
  return {
    name: 'run: 1,000 tests over http at 50 workers / plain fetch',
    ours: evaluate(suite),
    baseline: baseline(suite),
    startUp: { ours: evaluate(one), baseline: baseline(one) },
    limit: 1.3,
    runs: 5,
    async begin() {
      server = await startServer('http-server.mjs')
      writeFileSync(urls, server.url)
      const target = {
        name: 'default',
        provider: 'http',
        url: server.url,
        body: { question: '{{prompt}}' },
        response: { text: 'reply.text' },
      }
      writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets: [target] }))
    },
    end: () => server.stop(),
  }
}
