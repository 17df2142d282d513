import type { Format } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

type Matches = (pattern: string, flags: string, text: string) => boolean

/** Names of the formats that are checked. */
export const FORMAT_NAMES: readonly string[] = Object.keys(fullFormats)

/** The formats, with `matches` as what looks for their patterns; `requireExact` throws where a number must not be compared with a limit. */
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
  // The library takes a base64 text of which one line is right, and every integer for an int64.
  return { ...Object.fromEntries(safe), byte: BYTE, int64: { type: 'number', validate: isInt64 } }
}

const INT64 = 2 ** 63
const BYTE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
