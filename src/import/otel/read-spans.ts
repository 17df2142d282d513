import { isMapping } from '../../lib/objects.ts'
import type { Origin } from '../../model/location.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { Written } from '../written.ts'
import { attributesIn, valueIn } from './attribute-values.ts'

/** Attributes by their names. */
export type Attributes = ReadonlyMap<string, unknown>

/** An event of a span, or a log record that belongs to it. */
export interface SpanEvent {
  readonly name: string
  readonly attributes: Attributes
  /** The body of a log record. */
  readonly body: unknown
}

export interface TraceSpan {
  readonly at: Origin
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly resource: Attributes
  readonly events: readonly SpanEvent[]
  /** Why it failed, if it did. */
  readonly error: string | undefined
}

/** Reads the spans of export requests, with the log records that belong to them. Notes spans that cannot be read. */
export function readSpans(document: Written, notes: ImportNotes): TraceSpan[] {
  const requests = document.list()
  const logs = new Map<string, SpanEvent[]>()
  for (const record of requests.flatMap(logRecords)) {
    const { traceId, spanId } = fieldsOf(record)
    const key = `${traceId} ${spanId}`
    logs.set(key, [...(logs.get(key) ?? []), eventOf(record)])
  }
  const known = new Set<string>()
  return requests.flatMap(request => {
    if (!request.get('resourceSpans') && !request.get('resourceLogs'))
      notes.leftOut(request.at, 'not an export request: it has neither `resourceSpans` nor `resourceLogs`')
    return resourceSpans(request).flatMap(({ span, resource }) => {
      const read = spanOf(span, resource, logs, notes)
      // Exporters send a request again if they do not know whether it arrived.
      if (!read || known.has(`${read.traceId} ${read.spanId}`)) return []
      known.add(`${read.traceId} ${read.spanId}`)
      return [read]
    })
  })
}

function resourceSpans(request: Written): { readonly span: Written; readonly resource: Attributes }[] {
  return (request.get('resourceSpans')?.items() ?? []).flatMap(group => {
    const resource = attributesIn(group.get('resource')?.get('attributes')?.value)
    const scopes = group.get('scopeSpans', 'instrumentationLibrarySpans')?.items() ?? []
    return scopes.flatMap(scope => (scope.get('spans')?.items() ?? []).map(span => ({ span, resource })))
  })
}

function logRecords(request: Written): readonly Written[] {
  const groups = request.get('resourceLogs')?.items() ?? []
  const scopes = groups.flatMap(group => group.get('scopeLogs')?.items() ?? [])
  return scopes.flatMap(scope => scope.get('logRecords')?.items() ?? [])
}

function spanOf(
  span: Written,
  resource: Attributes,
  logs: ReadonlyMap<string, readonly SpanEvent[]>,
  notes: ImportNotes,
): TraceSpan | undefined {
  const { traceId, spanId, parentSpanId, name } = fieldsOf(span)
  const start = milliseconds(span.get('startTimeUnixNano')?.value)
  if (
    typeof traceId !== 'string' ||
    typeof spanId !== 'string' ||
    traceId === '' ||
    spanId === '' ||
    start === undefined
  ) {
    notes.leftOut(span.at, 'a span without `traceId`, `spanId` or `startTimeUnixNano`')
    return undefined
  }
  const attributes = attributesIn(span.get('attributes')?.value)
  const own = (span.get('events')?.items() ?? []).map(eventOf)
  return {
    ...{ at: span.at, traceId, spanId, start, attributes, resource },
    parentId: typeof parentSpanId === 'string' && parentSpanId !== '' ? parentSpanId : undefined,
    name: typeof name === 'string' ? name : '',
    end: milliseconds(span.get('endTimeUnixNano')?.value) ?? start,
    events: [...own, ...(logs.get(`${traceId} ${spanId}`) ?? [])],
    error: errorOf(span, attributes),
  }
}

function eventOf(written: Written): SpanEvent {
  const { name, eventName } = fieldsOf(written)
  const attributes = attributesIn(written.get('attributes')?.value)
  const called = [eventName, name, attributes.get('event.name')].find(each => typeof each === 'string' && each !== '')
  return { name: String(called ?? ''), attributes, body: valueIn(written.get('body')?.value) }
}

function fieldsOf({ value }: Written): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {}
}

/** How long a span took; undefined if it says that this is unknown. */
export function durationOf({ attributes, start, end }: TraceSpan): number | undefined {
  return attributes.get('assay.unknown_duration') === true ? undefined : Math.max(0, end - start)
}

/** The status of an error, as a number or by its name. */
const ERRORS: readonly unknown[] = [2, '2', 'STATUS_CODE_ERROR']

function errorOf(span: Written, attributes: Attributes): string | undefined {
  const status = span.get('status')?.value
  const type = attributes.get('error.type')
  const { code, message } = isMapping(status) ? status : {}
  if (!ERRORS.includes(code) && type === undefined) return undefined
  return [message, type].find((text): text is string => typeof text === 'string' && text !== '') ?? 'failed'
}

/** Nanoseconds, which are a string since they exceed the precision of a number. */
function milliseconds(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 0) return value / 1e6
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return undefined
  const nanoseconds = BigInt(value)
  return nanoseconds === 0n ? undefined : Number(nanoseconds / 1000n) / 1000
}
