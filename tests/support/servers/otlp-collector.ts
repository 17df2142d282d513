import type { ServerResponse } from 'node:http'
import generated from '@opentelemetry/otlp-transformer/build/src/generated/root.js'
import { type Call, type Server, serve } from './server.ts'

/** A span as a collector has it after reading it as protobuf. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Record<string, unknown>
  readonly events: readonly {
    readonly name: string
    readonly time: bigint
    readonly attributes: Record<string, unknown>
  }[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number; readonly message?: string } | undefined
  readonly resource: Record<string, unknown>
}

export interface Collector extends Server {
  /** The spans of the requests that were accepted, in order of arrival. */
  readonly spans: ReceivedSpan[]
}

/** The messages of the official protocol, as the JavaScript SDK has them. */
// biome-ignore lint/suspicious/noExplicitAny: the generated module has no types of its own
const { ExportTraceServiceRequest } = (generated as any).opentelemetry.proto.collector.trace.v1

/** How a collector answers; undefined accepts the request. */
export type Answer = (call: Call, response: ServerResponse) => unknown

/** Starts a receiver of OTLP/HTTP on the loopback interface. `answer` may answer in its place. */
export async function collector(answer: Answer = () => undefined): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const server = await serve(async (call, response) => {
    if ((await answer(call, response)) !== undefined) return
    if (call.method !== 'POST' || call.path !== '/v1/traces' || call.headers['content-type'] !== 'application/json')
      return response.writeHead(400).end()
    spans.push(...receive(call.body))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  })
  return { ...server, spans }
}

/** Reads a request as protobuf, and requires that nothing of it is unknown to the protocol. */
function receive(body: string): ReceivedSpan[] {
  const written = JSON.parse(body)
  const asProtobuf = ids(written, hex => Buffer.from(hex, 'hex').toString('base64'))
  const message = ExportTraceServiceRequest.fromObject(asProtobuf)
  const again = ExportTraceServiceRequest.decode(ExportTraceServiceRequest.encode(message).finish())
  const read = ExportTraceServiceRequest.toObject(again, { longs: String, bytes: String, enums: Number })
  const known = ids(read, base64 => Buffer.from(base64, 'base64').toString('hex'))
  const difference = firstDifference(withoutEmpty(written), withoutEmpty(known))
  if (difference !== undefined) throw new Error(`a receiver reads another request at ${difference}`)
  return written.resourceSpans.flatMap((group: Json) =>
    group.scopeSpans.flatMap((scope: Json) => scope.spans.map((span: Json) => received(span, group.resource))),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Json = any

const ID_LENGTHS: Readonly<Record<string, number>> = { traceId: 32, spanId: 16, parentSpanId: 16 }

/** OTLP/JSON has ids in hexadecimal, unlike the JSON of other protocols. */
function ids(value: Json, convert: (id: string) => string): Json {
  if (Array.isArray(value)) return value.map(item => ids(item, convert))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key in ID_LENGTHS && typeof part === 'string' ? convert(part) : ids(part, convert),
    ]),
  )
}

/** Protobuf does not tell an empty list from a missing one. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, part]) => !(Array.isArray(part) && part.length === 0))
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutEmpty(part)]))
}

function firstDifference(a: Json, b: Json, at = ''): string | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === b ? undefined : `${at}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${at}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

function received(span: Json, resource: Json): ReceivedSpan {
  for (const [key, length] of Object.entries(ID_LENGTHS)) {
    const id = span[key]
    if (id === undefined && key === 'parentSpanId') continue
    if (!new RegExp(`^[0-9a-f]{${length}}$`).test(id) || /^0+$/.test(id)) throw new Error(`${key} ${id} is not an id`)
  }
  const { traceId, spanId, parentSpanId, name, kind, status, links = [], events = [] } = span
  return {
    ...{ traceId, spanId, name, kind, status, links },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    start: time(span.startTimeUnixNano),
    end: time(span.endTimeUnixNano),
    attributes: attributes(span.attributes),
    events: events.map((event: Json) => ({
      name: event.name,
      time: time(event.timeUnixNano),
      attributes: attributes(event.attributes),
    })),
    resource: attributes(resource.attributes),
  }
}

function time(text: unknown): bigint {
  if (typeof text !== 'string' || !/^\d{19}$/.test(text)) throw new Error(`${text} is not a time in nanoseconds`)
  return BigInt(text)
}

function attributes(list: Json): Record<string, unknown> {
  const keys = list.map(({ key }: Json) => key)
  if (new Set(keys).size < keys.length) throw new Error(`an attribute is sent twice: ${keys.join(', ')}`)
  return Object.fromEntries(list.map(({ key, value }: Json) => [key, plain(value)]))
}

function plain(value: Json): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(plain)
  if ('intValue' in value) return Number(value.intValue)
  return Object.values(value)[0]
}
