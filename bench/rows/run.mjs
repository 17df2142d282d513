import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evalTask, plain } from '../programs.mjs'
import { startServer } from '../server.mjs'
import { linesOf, runSuiteOf } from '../suite.mjs'

const MOCK = `targets:
  - name: default
    provider: mock
    responses:
      - pattern: What is
        response: The sum is 42, if you please.
`

/** Runs many tests with immediate answers. */
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
  const lines = write('lines.jsonl', linesOf(100_000))
  return [
    {
      name: 'run: 10,000 mock tests',
      ...evalTask(yaml, runs),
      baseline: plain('run-mock', yaml, runs),
      limit: 2,
      memoryLimit: 400e6,
      runs: 9,
    },
    {
      name: 'run: 100,000 lines',
      ...evalTask(lines, runs),
      baseline: plain('run-mock', lines, runs),
      limit: 3,
      memoryLimit: 450e6,
      runs: 5,
    },
    httpRow(folder, runs),
  ]
}

const HTTP_TESTS = 1000
const WORKERS = 50

/** Runs tests on a server that answers after 50 ms. The start-up time, an eval of one test, is subtracted. */
function httpRow(folder, runs) {
  const home = join(folder, 'http')
  mkdirSync(home, { recursive: true })
  const suite = join(home, 'many.jsonl')
  const one = join(home, 'one.jsonl')
  const urls = join(home, 'url.txt')
  writeFileSync(suite, linesOf(HTTP_TESTS))
  writeFileSync(one, linesOf(1))
  const sides = path => ({
    ...evalTask(path, runs, WORKERS),
    baseline: plain('run-http', path, urls, runs, String(WORKERS)),
  })
  let server
  return {
    name: 'run: 1,000 tests over http at 50 workers',
    ...sides(suite),
    startUp: sides(one),
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
