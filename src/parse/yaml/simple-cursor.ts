import { isEndOfWord, isReservedWord } from './simple-words.ts'

/** Thrown where a text is not simple YAML. */
export class NotSimple extends Error {}

const KEY = /[A-Za-z_][\w-]{0,99}(?=:(?:[ \n]|$))/y

const NEWLINE = 0x0a
const SPACE = 0x20
const HASH = 0x23
const DASH = 0x2d
const COLON = 0x3a

/** A place in a text of simple YAML: the next content, behind blank lines and comments. */
export class SimpleCursor {
  readonly text: string
  /** Offset of the next content, or of the end of the text. */
  at = 0
  /** Column of the next content; -1 at the end of the text. */
  column = 0
  /** The key that came after each key last: tests repeat the same keys. */
  readonly #following = new Map<string, string>()
  #lastKey = ''

  constructor(text: string) {
    this.text = text
    this.toContent(0)
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** Offset of the line of the next content, or of the end of the text. */
  get lineStart(): number {
    return this.at - Math.max(0, this.column)
  }

  isAtDash(): boolean {
    return this.text.charCodeAt(this.at) === DASH && this.text.charCodeAt(this.at + 1) === SPACE
  }

  /** Returns the key at the next content; undefined if the content is not a key. */
  key(): string | undefined {
    const expected = this.#following.get(this.#lastKey)
    if (expected !== undefined && this.#isAtKey(expected)) {
      this.#lastKey = expected
      return expected
    }
    KEY.lastIndex = this.at
    const key = KEY.exec(this.text)?.[0]
    if (key === undefined || isReservedWord(key)) return undefined
    this.#following.set(this.#lastKey, key)
    this.#lastKey = key
    return key
  }

  #isAtKey(key: string): boolean {
    const end = this.at + key.length
    const isWritten = this.text.startsWith(key, this.at) && this.text.charCodeAt(end) === COLON
    return isWritten && isEndOfWord(this.text, end + 1)
  }

  skipSpaces(from: number): number {
    let offset = from
    while (this.text.charCodeAt(offset) === SPACE) offset++
    return offset
  }

  /** Ends the line of a value, behind which only a comment may be, and goes to the next content. */
  endLine(end: number): void {
    const { text } = this
    const offset = this.skipSpaces(end)
    const code = text.charCodeAt(offset)
    const isComment = code === HASH && text.charCodeAt(offset - 1) === SPACE
    if (!isComment && code !== NEWLINE && offset < text.length) throw new NotSimple()
    const newline = isComment ? text.indexOf('\n', offset) : offset
    this.toContent(newline < 0 ? text.length : newline + 1)
  }

  /** Goes to the first content in or after the line that begins at `line`. */
  toContent(line: number): void {
    const { text } = this
    let start = line
    while (start < text.length) {
      const offset = this.skipSpaces(start)
      const code = text.charCodeAt(offset)
      if (code !== NEWLINE && code !== HASH && offset < text.length) {
        this.at = offset
        this.column = offset - start
        return
      }
      const newline = text.indexOf('\n', offset)
      start = newline < 0 ? text.length : newline + 1
    }
    this.at = text.length
    this.column = -1
  }
}
