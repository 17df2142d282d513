import type { Format } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

type Matches = (pattern: string, flags: string, text: string) => boolean

/** Names of the formats that are checked. */
export const FORMAT_NAMES: readonly string[] = Object.keys(fullFormats)

/** The formats, with `matches` as what looks for their patterns. */
export function formats(matches: Matches): Record<string, Format> {
  const safe = Object.entries(fullFormats).map(([name, format]): [string, Format] => [
    name,
    format instanceof RegExp ? text => matches(format.source, format.flags, text) : format,
  ])
  return { ...Object.fromEntries(safe), ...CORRECTED }
}

/** Formats that the library reads too loosely: a base64 text in which one line is enough, an int64 without limits. */
const CORRECTED: Record<string, Format> = {
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  int64: { type: 'number', validate: value => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 },
}
