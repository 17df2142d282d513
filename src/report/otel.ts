import { terminalSafeJson } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { attemptSpans } from './otel/attempt-spans.ts'
import { exportRequest } from './otel/otlp.ts'
import { RunSpan } from './otel/run-span.ts'
import { annotatedResults } from './outcome/run-notes.ts'
import type { Reporter } from './reporter.ts'

export const otel: Reporter = {
  type: 'otel',
  summary: 'Spans of the OpenTelemetry GenAI conventions, as OTLP/JSON: one export request per line.',
  file: 'traces.jsonl',
  accepts_content: true,
  render: (run, { content = false } = {}) => [{ text: requestsOf(run, content) }],
  terminalSafe: terminalSafeJson,
}

/** One request per attempt, and one for the run. */
function* requestsOf(run: RunReader, content: boolean): Generator<string> {
  const request = (spans: Parameters<typeof exportRequest>[0]) =>
    `${exportRequest(spans, { 'service.name': 'assay' }, run.info?.assay_version)}\n`
  const whole = new RunSpan()
  for (const result of annotatedResults(run)) {
    whole.add(result)
    yield request(attemptSpans(result, { run: run.info, content }))
  }
  const spans = whole.spans(run)
  if (spans.length > 0) yield request(spans)
}
