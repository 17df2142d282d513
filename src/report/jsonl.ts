import type { Reporter } from './reporter.ts'

export const jsonl: Reporter = {
  type: 'jsonl',
  summary: 'One result per line, in the order of the plan.',
  *render(run) {
    for (const result of run.results()) yield `${JSON.stringify(result)}\n`
  },
}
