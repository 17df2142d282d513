/** What surrounds an offset of a shell command. `verbatim` is a heredoc in which the shell expands nothing. */
export type Quotes = 'none' | 'single' | 'double' | 'comment' | 'heredoc' | 'verbatim' | 'arithmetic'

interface Frame {
  readonly quotes: Quotes
  /** The text that closes it: a delimiter, or the last line of a heredoc. */
  readonly end: string
  /** Whether the last line of a heredoc may be indented with tabs. */
  readonly isIndented?: boolean
}

type Opening = readonly [opening: string, frame: Frame]

const SUBSTITUTIONS: readonly Opening[] = [
  ['$((', { quotes: 'arithmetic', end: '))' }],
  ['$(', { quotes: 'none', end: ')' }],
  ['`', { quotes: 'none', end: '`' }],
]

const OPENINGS: readonly Opening[] = [
  ...SUBSTITUTIONS,
  ['(', { quotes: 'none', end: ')' }],
  ["'", { quotes: 'single', end: "'" }],
  ['"', { quotes: 'double', end: '"' }],
]

/** What can open inside each kind of quotes. */
const INSIDE: Readonly<Record<Quotes, readonly Opening[]>> = {
  none: OPENINGS,
  double: SUBSTITUTIONS,
  heredoc: SUBSTITUTIONS,
  arithmetic: [['(', { quotes: 'arithmetic', end: ')' }]],
  single: [],
  comment: [],
  verbatim: [],
}

const HEREDOC = /<<(-?)[ \t]*((?:\\.|'[^']*'|"[^"]*"|[^\s;&|()<>'"\\])+)/y
const BEFORE_WORD = /[\s;&|()<>`]/

/** Tracks quotes, substitutions, comments and heredocs of a shell command. */
export class ShellReader {
  readonly #line: string
  readonly #frames: Frame[] = [{ quotes: 'none', end: '' }]
  /** Heredocs whose text starts on the next line. */
  readonly #heredocs: Frame[] = []
  #at = 0
  /** The offset after the last escape. The text there continues a word. */
  #escaped = -1

  constructor(line: string) {
    this.#line = line
  }

  /** Returns what surrounds an offset. Offsets must increase from call to call. */
  quotesAt(offset: number): Quotes {
    while (this.#at < offset) this.#at = this.#next(this.#top)
    return this.#top.quotes
  }

  /** Continues after a placeholder. */
  skipTo(offset: number): void {
    this.#at = offset
  }

  get #top(): Frame {
    return this.#frames.at(-1) ?? { quotes: 'none', end: '' }
  }

  /** Reads the next token and returns the offset after it. */
  #next(frame: Frame): number {
    const { quotes, end } = frame
    if (quotes === 'heredoc' || quotes === 'verbatim') {
      const last = this.#lastLine(frame)
      if (last !== undefined) return this.#leave(last)
    } else if (end !== '' && this.#is(end)) return this.#leave(this.#at + end.length)
    if (quotes !== 'single' && quotes !== 'comment' && quotes !== 'verbatim' && this.#is('\\')) {
      this.#escaped = this.#at + 2
      return this.#escaped
    }
    const begun = INSIDE[quotes].find(([opening]) => this.#is(opening))
    if (begun) return this.#enter(begun[1], this.#at + begun[0].length)
    return quotes === 'none' ? this.#nextPlain() : this.#at + 1
  }

  /** Reads a token outside quotes: comments, heredocs, and the line ends at which heredocs start. */
  #nextPlain(): number {
    if (this.#is('#') && this.#isWordStart()) return this.#enter({ quotes: 'comment', end: '\n' }, this.#at)
    if (this.#is('<<<')) return this.#at + 3
    if (this.#is('<<')) return this.#announce()
    const heredoc = this.#is('\n') ? this.#heredocs.shift() : undefined
    return heredoc ? this.#enter(heredoc, this.#at + 1) : this.#at + 1
  }

  /** Reads `<<END`. The text follows on the next line. */
  #announce(): number {
    HEREDOC.lastIndex = this.#at
    const [all = '<<', dash, word = ''] = HEREDOC.exec(this.#line) ?? []
    const isQuoted = /['"\\]/.test(word)
    const end = word.replace(/\\(.)|['"]/g, '$1')
    if (word !== '') this.#heredocs.push({ quotes: isQuoted ? 'verbatim' : 'heredoc', end, isIndented: dash === '-' })
    return this.#at + all.length
  }

  /** The offset after the line that begins here, if that line closes the heredoc. */
  #lastLine({ end, isIndented }: Frame): number | undefined {
    if (this.#line[this.#at - 1] !== '\n') return undefined
    const newline = this.#line.indexOf('\n', this.#at)
    const last = newline < 0 ? this.#line.length : newline
    const text = this.#line.slice(this.#at, last)
    return (isIndented ? text.replace(/^\t+/, '') : text) === end ? last : undefined
  }

  #is(text: string): boolean {
    return this.#line.startsWith(text, this.#at)
  }

  #isWordStart(): boolean {
    return this.#at === 0 || (this.#at !== this.#escaped && BEFORE_WORD.test(this.#line[this.#at - 1] ?? ''))
  }

  #enter(frame: Frame, at: number): number {
    this.#frames.push(frame)
    return at
  }

  /** Leaves a frame. The line break after a comment is read again, since a heredoc may start there. */
  #leave(at: number): number {
    return this.#frames.pop()?.quotes === 'comment' ? at - 1 : at
  }
}
