import { isMapping } from '../../lib/objects.ts'

/** Reads a list of attributes. */
export function attributesIn(list: unknown): ReadonlyMap<string, unknown> {
  const entries = Array.isArray(list) ? list.filter(isMapping) : []
  return new Map(entries.map(({ key, value }) => [String(key), valueIn(value)]))
}

/** Reads an AnyValue of OTLP: `{"stringValue": "a"}` is `a`. */
export function valueIn(value: unknown): unknown {
  if (!isMapping(value)) return undefined
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = value
  if (intValue !== undefined) return Number(intValue)
  if (isMapping(arrayValue)) return Array.isArray(arrayValue['values']) ? arrayValue['values'].map(valueIn) : []
  if (isMapping(kvlistValue)) return Object.fromEntries(attributesIn(kvlistValue['values']))
  return stringValue ?? boolValue ?? doubleValue
}
