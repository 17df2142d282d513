import { safeJson } from '../lib/printable.ts'
import type { RunReader } from '../model/run-reader.ts'
import { certaintyOf } from './certainty.ts'
import { outcomeOf } from './outcome.ts'
import type { Reporter } from './reporter.ts'

export const json: Reporter = {
  type: 'json',
  summary: 'One document: what was run, the summary, all results.',
  ending: '.json',
  render: run => [{ text: documentOf(run) }],
  harmless: safeJson,
}

function* documentOf(run: RunReader): Generator<string> {
  const { notable, more, ...outcome } = outcomeOf(run)
  const summary = { ...outcome, ...certaintyOf(outcome.tests) }
  const { attempts, ...info } = run.info ?? { attempts: [] }
  yield `{\n"run": ${JSON.stringify(info)},\n"summary": ${JSON.stringify(summary)},\n"results": [`
  let comma = '\n'
  for (const result of run.results()) {
    yield `${comma}${JSON.stringify(result)}`
    comma = ',\n'
  }
  yield '\n]\n}\n'
}
