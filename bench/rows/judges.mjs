import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')
const BASELINE = join(import.meta.dirname, '../baselines/run-judges.mjs')

const TESTS = 200
const WORKERS = 4

const JUDGE = `import json, sys
data = json.load(sys.stdin)
print(json.dumps({"score": 1 if "sum" in data["answer"] else 0, "hits": ["has a sum"]}))
`

/** How long it takes to judge many answers by a program each. */
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
      name: 'run: 200 Python judges / plain spawn',
      ours: [PROGRAM, 'eval', suite, '--quiet', '--runs-dir', join(folder, 'runs'), '--workers', String(WORKERS)],
      baseline: [BASELINE, suite, String(WORKERS)],
      limit: 1.3,
      runs: 3,
    },
  ]
}
