import { type Expectation, skipBlanks, step, tokenEnd } from './tokens.ts'

/** The most passes over a text to find the ends of invalid objects, of which hostile texts have very many. */
const MOST_PASSES = 20

/**
 * Finds the outermost JSON objects in a text, in order, whatever surrounds them. Objects inside an invalid one are
 * skipped; if the invalid one never ends, those that begin a line are found.
 */
export function* findJsonObjects(text: string): Generator<string> {
  let effort = 0
  for (let from = text.indexOf('{'); from >= 0; ) {
    const { whole, end, depth } = scan(text, from)
    const closed = depth > 0 && effort < MOST_PASSES * text.length ? closingBrace(text, end, depth) : undefined
    effort += depth > 0 ? (closed ?? text.length) - end : 0
    if (depth === 0 || closed === undefined) for (const [start, behind] of whole) yield text.slice(start, behind)
    from = depth > 0 && closed === undefined ? nextLine(text, end) : text.indexOf('{', closed ?? end)
  }
}

/** Finds the outermost JSON objects that begin a line, in order, in one pass. */
export function* findJsonObjectsOnLines(text: string): Generator<Span> {
  const brace = /^\{/gm
  for (let found = brace.exec(text); found; found = brace.exec(text)) {
    const { whole, end } = scan(text, found.index)
    yield* whole
    brace.lastIndex = end
  }
}

/** The offset of the next brace at the start of a line. */
function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n{', from - 1)
  return newline < 0 ? -1 : newline + 1
}

/** The offset at which `depth` open braces are closed; skips strings. */
function closingBrace(text: string, from: number, depth: number): number | undefined {
  const mark = /["{}]/g
  mark.lastIndex = from
  let open = depth
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const end = found[0] === '"' ? tokenEnd(text, found.index) : found.index + 1
    if (typeof end === 'number') mark.lastIndex = end
    if (found[0] === '{') open++
    if (found[0] === '}' && --open === 0) return mark.lastIndex
  }
  return undefined
}

type Span = readonly [start: number, end: number]

interface ScanResult {
  readonly whole: readonly Span[]
  /** The offset to continue at. */
  readonly end: number
  /** The number of objects that were opened and not closed. */
  readonly depth: number
}

/** Reads from a brace: a whole object, an incomplete one, or nothing. */
function scan(text: string, from: number): ScanResult {
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
    if (expects === 'end') return { whole: [[from, end]], end, depth: 0 }
    hasKey ||= token === ':'
    if (token === '{') spans.open(offset)
    if (token === '}') spans.close(end)
    offset = skipBlanks(text, end)
  }
  if (!hasKey) return { whole: [], end: from + 1, depth: 0 }
  return { whole: spans.closed, end: offset, depth: spans.depth }
}

/** Collects the outermost complete objects that begin a line inside another object. */
class Spans {
  readonly closed: Span[] = []
  readonly #text: string
  readonly #open: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  get depth(): number {
    return this.#open.length
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
