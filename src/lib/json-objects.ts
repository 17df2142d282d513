import { type Expectation, skipBlanks, step, tokenEnd } from './json-tokens.ts'

/**
 * The JSON objects in a text, whatever stands around them: the outermost ones, in order, as text.
 * Of an object that breaks off, nothing inside it is one, but for what begins a line.
 */
export function* jsonObjectsIn(text: string): Generator<string> {
  for (let from = text.indexOf('{'); from >= 0; ) {
    const { whole, end, isBroken } = scan(text, from)
    for (const [start, behind] of whole) yield text.slice(start, behind)
    from = isBroken ? text.indexOf('\n{', end - 1) + 1 || -1 : text.indexOf('{', end)
  }
}

type Span = readonly [start: number, end: number]

interface Scanned {
  readonly whole: readonly Span[]
  /** Where to look on. */
  readonly end: number
  /** Whether an object began, and did not end. */
  readonly isBroken: boolean
}

/** What a brace begins: an object, one that breaks off, or nothing. */
function scan(text: string, from: number): Scanned {
  const open: string[] = []
  const spans = new Spans(text)
  let hasKey = false
  let expects: Expectation | undefined = 'value'
  let offset = from
  while (offset < text.length) {
    const end = tokenEnd(text, offset)
    const token = text[offset] ?? ''
    expects = typeof end === 'number' ? step(expects, token, open) : undefined
    if (typeof end !== 'number' || expects === undefined) break
    if (expects === 'end') return { whole: [[from, end]], end, isBroken: false }
    hasKey ||= token === ':'
    if (token === '{') spans.open(offset)
    if (token === '}') spans.close(end)
    offset = skipBlanks(text, end)
  }
  if (!hasKey) return { whole: [], end: from + 1, isBroken: false }
  return { whole: spans.closed, end: offset, isBroken: true }
}

/** The objects inside another one that begin a line, as far as they have ended; the outermost ones. */
class Spans {
  readonly closed: Span[] = []
  readonly #text: string
  readonly #open: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  open(offset: number): void {
    this.#open.push(offset)
  }

  close(end: number): void {
    const start = this.#open.pop() ?? 0
    if (this.#text[start - 1] !== '\n') return
    while ((this.closed.at(-1)?.[0] ?? -1) > start) this.closed.pop()
    this.closed.push([start, end])
  }
}
