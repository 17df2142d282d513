import { unicodeEscape } from './unicode-escape.ts'

/** JSON that every reader understands, whatever encoding it takes files to have. */
export function asciiJson(value: unknown): string {
  return `${toAscii(JSON.stringify(value, null, 2))}\n`
}

/** The same on one line, with a blank behind each comma and colon, as Python's `json.dumps` writes it. */
export function asciiJsonLine(value: unknown): string {
  // Inside of texts line ends are escaped: these are between the values.
  const line = JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ')
  return toAscii(line)
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, unicodeEscape)
}
