import { wellFormed } from '../../lib/text/unicode.ts'

/** The part of OTLP/JSON that a run is made of. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly events?: readonly OtlpEvent[]
  readonly links?: readonly OtlpLink[]
  readonly status?: { readonly code: number; readonly message?: string } | undefined
}

export interface OtlpEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly OtlpAttribute[]
}

export interface OtlpLink {
  readonly traceId: string
  readonly spanId: string
}

export interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }

/** Kinds of spans. */
export const KIND = { internal: 1, client: 3 } as const

/** The status of a span that ended in an error. */
const ERROR_STATUS = 2

/** A `bigint` is sent as an integer, a `number` as a floating-point number: one attribute must always have one type. */
type AttributeValue = string | boolean | number | bigint | readonly string[]

/** The attributes of a span or an event, without undefined values. */
export function attributesOf(values: Readonly<Record<string, AttributeValue | undefined>>): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: AttributeValue): OtlpValue {
  // Receivers refuse a string that is not valid Unicode.
  if (typeof value === 'string') return { stringValue: wellFormed(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: String(value) }
  if (typeof value === 'number') return { doubleValue: value }
  return { arrayValue: { values: value.map(otlpValue) } }
}

/** A whole number, for an attribute. */
export function count(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(Math.round(value))
}

/** Milliseconds since 1970 as nanoseconds, which exceed the precision of a number. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)))
}

/** A status of error, with a message where there is one. */
export function errorStatus(message: string | undefined): OtlpSpan['status'] {
  return { code: ERROR_STATUS, ...(message === undefined ? {} : { message: wellFormed(message) }) }
}

/** What sends the spans: attributes of the resource, such as `service.name`. */
export type Resource = Readonly<Record<string, string>>

/** An ExportTraceServiceRequest, as a line of JSON. */
export function exportRequest(spans: readonly OtlpSpan[], resource: Resource, version: string | undefined): string {
  const scope = { name: 'assay', ...(version === undefined ? {} : { version }) }
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans }] }],
  })
}
