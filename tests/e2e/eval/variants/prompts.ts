import { folderWith } from '../../../support/program.ts'
import { resultsIn } from '../../../support/suite-run.ts'

/** Answers `right` to prompts that contain `please`, and repeats the prompt. */
const AGENT = `let text = ''
process.stdin.on('data', part => { text += part })
process.stdin.on('end', () => process.stdout.write((text.includes('please') ? 'right ' : 'wrong ') + text))`

const TARGET = { provider: 'cli', command: ['node', 'agent.mjs'] }
export const TARGETS = [
  { name: 'small', ...TARGET },
  { name: 'large', ...TARGET },
]

export const VARIANTS = [
  { name: 'plain', input: '{{input}}', control: true },
  { name: 'polite', input: '{{input}}, please' },
  { name: 'loud', input: '{{input}}!' },
]

/** Tests with the ids `t1`, `t2`…, whose input is `What is 1?`… */
export function tests(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `t${index + 1}`,
    criteria: 'x',
    input: `What is ${index + 1}?`,
    assert: [{ type: 'contains', value: 'right' }],
  }))
}

export function suite(parts: object = {}): string {
  const execution = { targets: ['small', 'large'] }
  return JSON.stringify({ name: 'prompts', execution, variants: VARIANTS, tests: tests(2), ...parts })
}

export function project(parts: object = {}, files: Record<string, string> = {}): string {
  return folderWith({
    'agent.mjs': AGENT,
    '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    'EVAL.yaml': suite(parts),
    ...files,
  })
}

/** `small/plain* t1 fail` for each result of the last run, sorted; `*` marks a control arm. */
export function verdictsIn(folder: string): string[] {
  return resultsIn(folder)
    .map(({ target, control, test_id, verdict }) => `${target}${control ? '*' : ''} ${test_id} ${verdict}`)
    .sort()
}
