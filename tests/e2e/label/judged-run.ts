import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Label } from '../../../src/model/label.ts'
import type { Result } from '../../../src/model/result.ts'
import { folderWith } from '../../support/program.ts'
import { checkResult, resultWith } from '../../support/recorded-run.ts'

export const RUN = '20261117-090000-abcd'

/** What must not be shown to a person who labels, nor written to the file of labels. */
export const SECRETS = [
  ...[
    'zebra-target',
    'yak-target',
    'quokka-model',
    'walrus-judge',
    'REASON-7',
    'HIT-7',
    'MISS-7',
    '0.1234',
    '0.9876',
    '0.6543',
  ],
  ...['borderline', '77777', '0.0456', RUN],
]

/** A judged attempt whose fields besides question, answer and criteria have values that can be searched for. */
export function judgedResult(index: number, more: Partial<Result> = {}): Result {
  const outcomes = [
    [0.9876, 'pass'],
    [0.1234, 'fail'],
    [0.9876, 'pass'],
    [0.6543, 'borderline'],
  ] as const
  const [score, verdict] = outcomes[index % 4] ?? outcomes[0]
  const check = checkResult({
    type: 'llm_judge',
    text: `Output has the digits ${index}`,
    score,
    reasoning: 'REASON-7 walrus-judge',
    hits: ['HIT-7'],
    misses: ['MISS-7'],
    duration_ms: 77777,
  })
  return resultWith(
    {
      run_id: RUN,
      attempt_id: `a${index}`,
      suite: 'sums',
      test_id: `test-${Math.floor(index / 2)}`,
      judges_hash: 'j1',
      checks_hash: 'c1',
      target: index % 2 === 0 ? 'zebra-target' : 'yak-target',
      model: 'quokka-model',
      input: [{ role: 'user', content: `What is ${index} plus 0?` }],
      criteria: `Says the number ${index}`,
      answer: `It is ${index}.`,
      score,
      verdict,
      hits: ['HIT-7'],
      misses: ['MISS-7'],
      cost_usd: 0.0456,
      duration_ms: 77777,
      evaluator_results: [check],
      ...more,
    },
    index,
  )
}

/** A folder with a run of these results, which `latest` names. */
export function judgedRun(results: readonly Result[]): string {
  const folder = folderWith()
  // A repository of its own, so that no `.assay` above it is used.
  mkdirSync(join(folder, '.git'))
  writeRun(folder, results)
  return folder
}

function writeRun(folder: string, results: readonly Result[]): void {
  const runs = join(folder, '.assay/runs')
  mkdirSync(join(runs, RUN), { recursive: true })
  writeFileSync(join(runs, RUN, 'results.jsonl'), results.map(result => `${JSON.stringify(result)}\n`).join(''))
  writeFileSync(join(runs, 'latest'), RUN)
}

/** `count` judged attempts. */
export function judgedResults(count: number): Result[] {
  return Array.from({ length: count }, (_, index) => judgedResult(index))
}

/** All files of labels, as text. */
export function labelText(folder: string): string {
  const labels = join(folder, '.assay/labels')
  return readdirSync(labels)
    .map(name => readFileSync(join(labels, name), 'utf8'))
    .join('')
}

export function labelsIn(folder: string): Label[] {
  return labelText(folder)
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}
