import type { ErrorObject } from 'ajv'
import { valueAtPointer } from '../../../lib/json-pointer.ts'
import { jsonText } from '../../../lib/json-text.ts'

/** What is wrong with a value under a schema, and what was found: `/price must be number, found "12"`. */
export function schemaMiss({ instancePath, keyword, message, params }: ErrorObject, value: unknown): string {
  const name = instancePath === '' ? 'the value' : instancePath
  const said = `${name} ${message ?? 'is not valid'}${detail(params)}`
  const found = valueAtPointer(value, instancePath)
  return IS_ABOUT_KEYS.has(keyword) || !found ? said : `${said}, found ${jsonText(found.value, 100)}`
}

/** Keywords whose message names the key, beside which the whole value says little. */
const IS_ABOUT_KEYS = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'dependentRequired'])

/** Which property, or which values, a message is about. */
export function detail({
  additionalProperty,
  unevaluatedProperty,
  allowedValues,
  allowedValue,
}: Record<string, unknown>) {
  const property = additionalProperty ?? unevaluatedProperty
  if (property !== undefined) return `: ${jsonText(property)}`
  const allowed = allowedValues ?? allowedValue
  return allowed === undefined ? '' : `: ${jsonText(allowed)}`
}
