import { safeJson } from '../lib/printable.ts'
import type { RunReader } from '../model/run-reader.ts'
import { reportedResults } from './reported-results.ts'
import type { Reporter } from './reporter.ts'

export const jsonl: Reporter = {
  type: 'jsonl',
  summary: 'One result per line, in the order of the plan.',
  ending: '.jsonl',
  render: run => [{ text: linesOf(run) }],
  harmless: safeJson,
}

function* linesOf(run: RunReader): Generator<string> {
  for (const result of reportedResults(run)) yield `${JSON.stringify(result)}\n`
}
