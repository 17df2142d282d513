import { Outline } from './outline.ts'
import { NotSimple, SimpleCursor } from './simple-cursor.ts'
import { readScalar } from './simple-scalars.ts'
import { isReservedWord } from './simple-words.ts'

/** A value, with where its parts begin. */
export interface SimpleYaml {
  readonly value: unknown
  readonly outline: Outline
}

/**
 * Reads the part of YAML that most suites are written in: block mappings with plain keys, block lists, scalars on one
 * line, literal blocks and lists of words. Returns undefined for any other text, also for one with an error, which
 * js-yaml reads. Takes a third of its time, since it makes no events.
 */
export function readSimpleYaml(text: string): SimpleYaml | undefined {
  if (OTHER_CHARACTERS.test(text)) return undefined
  try {
    return new SimpleReader(text).read()
  } catch (error) {
    if (error instanceof NotSimple) return undefined
    throw error
  }
}

/** Tabs, carriage returns, byte order marks, and what is not printable. */
const OTHER_CHARACTERS =
  /[^\n -~\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]/u

const WORDS = /\[[A-Za-z_][\w-]*(?:, *[A-Za-z_][\w-]*)*\]/y
const MOST_DEPTH = 50

const NEWLINE = 0x0a
const HASH = 0x23
const BRACKET = 0x5b

/** A mapping or list that was read, with its text up to the line of the next content. */
interface ReadBlock {
  readonly text: string
  readonly start: number
  readonly column: number
  /** Number of mappings and lists that it is in. */
  readonly depth: number
  /** Its nodes in the outline: the first one, and the one after the last. */
  readonly nodes: readonly [first: number, end: number]
  readonly value: unknown
}

class SimpleReader {
  readonly #cursor: SimpleCursor
  readonly #outline: Outline
  /** The last block of each key: tests often repeat the checks of others, which then share their values. */
  readonly #blocks = new Map<string, ReadBlock>()
  #depth = 0

  constructor(text: string) {
    this.#cursor = new SimpleCursor(text)
    this.#outline = new Outline(text)
  }

  read(): SimpleYaml {
    if (this.#cursor.column !== 0) throw new NotSimple()
    const value = this.#block()
    if (!this.#cursor.isAtEnd) throw new NotSimple()
    this.#outline.end()
    return { value, outline: this.#outline }
  }

  /** A mapping or list at the next content. */
  #block(): unknown {
    const { column } = this.#cursor
    return this.#cursor.isAtDash() ? this.#sequence(column) : this.#mapping(column, this.#cursor.key())
  }

  #mapping(column: number, first: string | undefined): object {
    const cursor = this.#cursor
    const mapping: Record<string, unknown> = {}
    const node = this.#open()
    for (let key = first; ; key = cursor.key()) {
      // A duplicate, or the name of something that every object has.
      if (key === undefined || mapping[key] !== undefined) throw new NotSimple()
      this.#outline.add(cursor.at)
      mapping[key] = this.#value(key, column)
      if (cursor.column < column) break
      if (cursor.column > column) throw new NotSimple()
    }
    this.#close(node)
    return mapping
  }

  #sequence(column: number): unknown[] {
    const cursor = this.#cursor
    const items: unknown[] = []
    const node = this.#open()
    do {
      const dash = cursor.at
      cursor.at = cursor.skipSpaces(dash + 1)
      cursor.column = column + cursor.at - dash
      items.push(this.#item(column))
    } while (cursor.column === column && cursor.isAtDash())
    if (cursor.column > column) throw new NotSimple()
    this.#close(node)
    return items
  }

  #item(column: number): unknown {
    const cursor = this.#cursor
    if (cursor.isAtDash()) return this.#sequence(cursor.column)
    const key = cursor.key()
    return key === undefined ? this.#inline(cursor.at, column) : this.#mapping(cursor.column, key)
  }

  /** The value of the key at the next content, of a mapping at `column`. */
  #value(key: string, column: number): unknown {
    const cursor = this.#cursor
    const start = cursor.skipSpaces(cursor.at + key.length + 1)
    const first = cursor.text.charCodeAt(start)
    if (first !== NEWLINE && first !== HASH && start < cursor.text.length) return this.#inline(start, column)
    cursor.endLine(start)
    if (cursor.column > column) return this.#blockOf(key, column)
    if (cursor.column === column && cursor.isAtDash()) return this.#sequence(column)
    this.#outline.add(-1)
    return null
  }

  /** The block of a key at `column`: that of the last such key, if it is written alike. */
  #blockOf(key: string, column: number): unknown {
    const { at: start, column: own } = this.#cursor
    const depth = this.#depth
    const last = this.#blocks.get(key)
    // Where it is deeper than before, a block may be too deep.
    if (last?.column === own && depth <= last.depth && this.#repeats(last, column)) return last.value
    const first = this.#outline.length
    const value = this.#block()
    const text = this.#cursor.text.slice(start, this.#cursor.lineStart)
    this.#blocks.set(key, { text, start, column: own, depth, nodes: [first, this.#outline.length], value })
    return value
  }

  /**
   * Whether the next content repeats a block, and the line behind it is not part of it. If so, it is read. What looks like
   * a comment or a blank line may be part of a literal block.
   */
  #repeats({ text, start, column: own, nodes }: ReadBlock, column: number): boolean {
    const cursor = this.#cursor
    const { at } = cursor
    if (!text.endsWith('\n') || !cursor.text.startsWith(text, at)) return false
    const end = at + text.length
    cursor.toContent(end)
    if (cursor.column > column || cursor.lineStart !== end) {
      cursor.at = at
      cursor.column = own
      return false
    }
    this.#outline.repeat(...nodes, at - start)
    return true
  }

  /** A value that begins on the line of its key or dash. */
  #inline(start: number, column: number): unknown {
    if (this.#cursor.text.charCodeAt(start) === BRACKET) return this.#words(start)
    this.#outline.add(start)
    return readScalar(this.#cursor, start, column)
  }

  /** A list of words in brackets. */
  #words(start: number): string[] {
    WORDS.lastIndex = start
    const written = WORDS.exec(this.#cursor.text)?.[0] ?? ''
    const words: string[] = []
    const node = this.#outline.add(start)
    for (const { 0: word, index } of written.matchAll(/[\w-]+/g)) {
      if (isReservedWord(word)) throw new NotSimple()
      this.#outline.add(start + index)
      words.push(word)
    }
    if (words.length === 0) throw new NotSimple()
    this.#outline.close(node)
    this.#cursor.endLine(start + written.length)
    return words
  }

  #open(): number {
    if (++this.#depth > MOST_DEPTH) throw new NotSimple()
    return this.#outline.add(this.#cursor.at)
  }

  #close(node: number): void {
    this.#depth--
    this.#outline.close(node)
  }
}
