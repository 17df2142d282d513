import type { Format } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

type Matches = (pattern: string, flags: string, text: string) => boolean

/** Names of the supported formats. */
export const FORMAT_NAMES: readonly string[] = Object.keys(fullFormats)

/** The formats. `matches` runs their patterns; `requireExact` throws if a number cannot be compared exactly. */
export function formats(
  matches: Matches,
  requireExact: (value: number, limit: number) => void,
): Record<string, Format> {
  const safe = Object.entries(fullFormats).map(([name, format]): [string, Format] => [
    name,
    format instanceof RegExp ? text => matches(format.source, format.flags, text) : format,
  ])
  const isInt64 = (value: number) => {
    for (const limit of [-INT64, INT64]) requireExact(value, limit)
    return Number.isInteger(value) && value >= -INT64 && value < INT64
  }
  // The library accepts base64 with one valid line, and every integer as int64.
  return { ...Object.fromEntries(safe), byte: BYTE, int64: { type: 'number', validate: isInt64 } }
}

const INT64 = 2 ** 63
const BYTE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
