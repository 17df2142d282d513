import { folderWith } from '../../../support/program.ts'
import { resultsIn } from '../../../support/suite-run.ts'

/** Answers `right` to prompts that contain `please`, and repeats the prompt. */
const AGENT = `text=$(cat)
case $text in *please*) printf 'right %s' "$text" ;; *) printf 'wrong %s' "$text" ;; esac`

const TARGET = { provider: 'cli', command: ['sh', 'agent.sh'] }
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
    'agent.sh': AGENT,
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
