import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerRecord } from '../../src/model/answer.ts'
import { assay } from './in-process.ts'
import { folderWith } from './program.ts'

/** Imports traces, and returns what was written and printed. */
export async function imported(text: string, file = 'traces.jsonl') {
  const cwd = folderWith({ [file]: text })
  const result = await assay(['import', file, '--from', 'otel', '-o', 'out'], { cwd })
  const read = (path: string) => {
    try {
      return readFileSync(join(cwd, 'out', path), 'utf8')
    } catch {
      return ''
    }
  }
  const answers: AnswerRecord[] = read('recordings/answers.jsonl')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  return { ...result, cwd, suite: read('EVAL.yaml'), answers }
}

interface SpanOptions {
  readonly id?: string
  readonly parent?: string
  readonly traceId?: string
  readonly from?: number
  readonly to?: number
  readonly attributes?: Record<string, unknown>
  readonly events?: readonly { readonly name: string; readonly attributes: Record<string, unknown> }[]
  readonly status?: object
}

const value = (each: unknown): object => {
  if (typeof each === 'number') return { intValue: String(each) }
  return Array.isArray(each) ? { arrayValue: { values: each.map(value) } } : { stringValue: String(each) }
}
/** Attributes as OTLP writes them. */
export const attributes = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([key, each]) => ({ key, value: value(each) }))

/** The trace of spans that name no other. */
export const TRACE = '0123456789abcdef0123456789abcdef'

/** A span of an agent, at milliseconds after a fixed time. */
export function span({
  id = '1111111111111111',
  parent,
  traceId = TRACE,
  from = 0,
  to = 100,
  ...more
}: SpanOptions): object {
  const at = (ms: number) => `${1_700_000_000_000 + ms}000000`
  return {
    ...{ traceId, spanId: id, parentSpanId: parent ?? '', name: 'span', kind: 1 },
    ...{ startTimeUnixNano: at(from), endTimeUnixNano: at(to), status: more.status ?? {} },
    attributes: attributes(more.attributes ?? {}),
    events: (more.events ?? []).map(event => ({ name: event.name, attributes: attributes(event.attributes) })),
  }
}

/** An export request, as a line. */
export const request = (...spans: object[]) =>
  `${JSON.stringify({ resourceSpans: [{ resource: { attributes: attributes({ 'service.name': 'shop' }) }, scopeSpans: [{ spans }] }] })}\n`

/** A message of one text. */
export const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
/** Attributes of a call of a model. */
export const chat = (fields: Record<string, unknown>) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.response.model': 'm-1',
  ...fields,
})
