import { terminalSafeJson } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { annotatedResults } from './outcome/run-notes.ts'
import type { Reporter } from './reporter.ts'

export const jsonl: Reporter = {
  type: 'jsonl',
  summary: 'One result per line, in the order of the plan.',
  render: run => [{ text: linesOf(run) }],
  terminalSafe: terminalSafeJson,
}

function* linesOf(run: RunReader): Generator<string> {
  for (const result of annotatedResults(run)) yield `${JSON.stringify(result)}\n`
}
