import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evalTask, plain } from '../programs.mjs'
import { startServer } from '../server.mjs'

const TESTS = 200
const WORKERS = 4

const JUDGE = `import json, sys
data = json.load(sys.stdin)
print(json.dumps({"score": 1 if "sum" in data["answer"] else 0, "hits": ["has a sum"]}))
`

/** Judges many answers with one program each. */
export function judgeRows(folder) {
  const home = join(folder, 'judges')
  mkdirSync(home, { recursive: true })
  const tests = Array.from({ length: TESTS }, (_, index) => ({
    id: `test-${index}`,
    criteria: 'Says a sum',
    input: `What is ${index} + ${index}?`,
    assert: [{ type: 'code_judge', script: ['python3', './judge.py'] }],
  }))
  const targets = [{ name: 'default', provider: 'mock', response: 'The sum is 42.' }]
  const suite = join(home, 'many.jsonl')
  writeFileSync(suite, tests.map(test => `${JSON.stringify(test)}\n`).join(''))
  writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets }))
  writeFileSync(join(home, 'judge.py'), JUDGE)
  return [
    {
      name: 'run: 200 Python judges',
      ...evalTask(suite, join(folder, 'runs'), WORKERS),
      baseline: plain('run-judges', suite, String(WORKERS)),
      limit: 1.15,
      runs: 3,
    },
    modelRow(folder),
    answerRow(folder),
  ]
}

const MODEL_CALLS = 1000
const MODEL_WORKERS = 50

/** Judges by a model on a server that replies after 50 ms. The start-up time, a run of one test, is subtracted. */
function modelRow(folder) {
  const home = join(folder, 'models')
  mkdirSync(home, { recursive: true })
  const write = (name, count) => {
    const tests = Array.from({ length: count }, (_, index) => ({
      id: `test-${index}`,
      criteria: 'Says a sum',
      input: `What is ${index} + ${index}?`,
      assert: [{ type: 'llm_judge' }],
    }))
    writeFileSync(join(home, name), tests.map(test => `${JSON.stringify(test)}\n`).join(''))
    return join(home, name)
  }
  const many = write('many.jsonl', MODEL_CALLS)
  const one = write('one.jsonl', 1)
  const urls = join(home, 'url.txt')
  const runs = join(folder, 'runs')
  const sides = path => ({
    ...evalTask(path, runs, MODEL_WORKERS),
    baseline: plain('run-models', path, urls, runs, String(MODEL_WORKERS)),
  })
  let server
  return {
    name: 'run: 1,000 judged tests at 50 workers',
    ...sides(many),
    startUp: sides(one),
    calls: MODEL_CALLS,
    limit: 1.15,
    cpuLimit: 1.3,
    memoryLimit: 400e6,
    runs: 5,
    async begin() {
      server = await startServer('model-server.mjs')
      writeFileSync(urls, server.url)
      const targets = [
        { name: 'default', provider: 'mock', response: 'The sum is 42.' },
        { name: 'judge', provider: 'openai_compatible', model: 'judge-model', base_url: server.url, api_key: 'none' },
      ]
      writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets }))
    },
    end: () => server.stop(),
  }
}

const ANSWERS = 200

/** Asks a model on a server that replies after 200 ms, compared with `fetch`, from the start of the process to its end. */
function answerRow(folder) {
  const home = join(folder, 'answers')
  mkdirSync(home, { recursive: true })
  const suite = join(home, 'many.jsonl')
  const urls = join(home, 'url.txt')
  const runs = join(folder, 'runs')
  const tests = Array.from({ length: ANSWERS }, (_, index) => ({
    id: `test-${index}`,
    criteria: 'Says a sum',
    input: `What is ${index} + ${index}?`,
    assert: [{ type: 'contains', value: 'sum' }],
  }))
  writeFileSync(suite, tests.map(test => `${JSON.stringify(test)}\n`).join(''))
  let server
  return {
    name: 'run: 200 tests of a model at 50 workers',
    ...evalTask(suite, runs, MODEL_WORKERS),
    baseline: plain('run-http', suite, urls, runs, String(MODEL_WORKERS), 'chat'),
    limit: 1.3,
    runs: 5,
    async begin() {
      server = await startServer('model-server.mjs', '200')
      writeFileSync(urls, server.url)
      const model = { provider: 'openai_compatible', model: 'judge-model', base_url: server.url, api_key: 'none' }
      writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets: [{ name: 'default', ...model }] }))
    },
    end: () => server.stop(),
  }
}
