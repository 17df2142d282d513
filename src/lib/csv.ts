/** A record of a CSV text: its values, and the offsets of its fields in the text. */
export interface CsvRecord {
  readonly values: readonly string[]
  readonly starts: readonly number[]
  /** Offset behind the last field. */
  readonly end: number
}

export interface CsvProblem {
  readonly problem: string
  readonly offset: number
}

const QUOTE = '"'
const BREAK_OR_COMMA = /[,\r\n]/g

/**
 * Reads CSV as RFC 4180 describes it, one record at a time: commas, and double quotes around fields that contain
 * commas, quotes or line breaks. Lines end with LF, CRLF or CR; empty lines are skipped. A problem ends the reading.
 */
export function* parseCsv(text: string): Generator<CsvRecord | CsvProblem> {
  let offset = text.startsWith('\uFEFF') ? 1 : 0
  while (offset < text.length) {
    if (text[offset] === '\n' || text[offset] === '\r') {
      offset++
      continue
    }
    const record = readRecord(text, offset)
    yield record
    if ('problem' in record) return
    offset = record.end
  }
}

function readRecord(text: string, start: number): CsvRecord | CsvProblem {
  const values: string[] = []
  const starts: number[] = []
  for (let offset = start; ; offset++) {
    const field = text[offset] === QUOTE ? readQuoted(text, offset) : readPlain(text, offset)
    if ('problem' in field) return field
    values.push(field.value)
    starts.push(offset)
    offset = field.end
    if (text[offset] !== ',') return { values, starts, end: offset }
  }
}

type Field = { readonly value: string; readonly end: number }

function readPlain(text: string, start: number): Field | CsvProblem {
  BREAK_OR_COMMA.lastIndex = start
  const end = BREAK_OR_COMMA.exec(text)?.index ?? text.length
  const value = text.slice(start, end)
  const quote = value.indexOf(QUOTE)
  if (quote < 0) return { value, end }
  return { problem: 'a double quote inside of a field that is not in quotes', offset: start + quote }
}

function readQuoted(text: string, start: number): Field | CsvProblem {
  let closing = text.indexOf(QUOTE, start + 1)
  let isEscaped = false
  while (closing >= 0 && text[closing + 1] === QUOTE) {
    isEscaped = true
    closing = text.indexOf(QUOTE, closing + 2)
  }
  if (closing < 0) return { problem: 'a double quote that is never closed', offset: start }
  const end = closing + 1
  if (end < text.length && !/[,\r\n]/.test(text.charAt(end)))
    return { problem: 'text after the closing double quote of a field', offset: end }
  const value = text.slice(start + 1, closing)
  return { value: isEscaped ? value.replaceAll('""', QUOTE) : value, end }
}
