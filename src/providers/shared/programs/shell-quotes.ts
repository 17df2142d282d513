/** What surrounds a place in a line for the shell. `verbatim` is a heredoc in which the shell expands nothing. */
export type Quotes = 'none' | 'single' | 'double' | 'comment' | 'heredoc' | 'verbatim' | 'arithmetic'

interface Frame {
  readonly quotes: Quotes
  /** What ends it: a character, or the last line of a heredoc. */
  readonly end: string
  /** Whether tabs before the last line do not count. */
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

/** What begins inside each kind of quotes. */
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

/** Follows the quotes, substitutions, comments and heredocs of a line for the shell. */
export class ShellReader {
  readonly #line: string
  readonly #frames: Frame[] = [{ quotes: 'none', end: '' }]
  /** Heredocs whose text begins on the next line. */
  readonly #heredocs: Frame[] = []
  #at = 0
  /** Where the last escape ended: what follows belongs to its word. */
  #escaped = -1

  constructor(line: string) {
    this.#line = line
  }

  /** What surrounds an offset. Offsets must grow. */
  quotesAt(offset: number): Quotes {
    while (this.#at < offset) this.#at = this.#next(this.#top)
    return this.#top.quotes
  }

  /** Goes on behind a placeholder, which is part of a word. */
  skipTo(offset: number): void {
    this.#at = offset
  }

  get #top(): Frame {
    return this.#frames.at(-1) ?? { quotes: 'none', end: '' }
  }

  /** Reads what stands next, and gives the offset behind it. */
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

  /** Outside of quotes: comments, heredocs, and the ends of lines at which these begin. */
  #nextPlain(): number {
    if (this.#is('#') && this.#isWordStart()) return this.#enter({ quotes: 'comment', end: '\n' }, this.#at)
    if (this.#is('<<<')) return this.#at + 3
    if (this.#is('<<')) return this.#announce()
    const heredoc = this.#is('\n') ? this.#heredocs.shift() : undefined
    return heredoc ? this.#enter(heredoc, this.#at + 1) : this.#at + 1
  }

  /** `<<END`: the text follows on the next line. */
  #announce(): number {
    HEREDOC.lastIndex = this.#at
    const [all = '<<', dash, word = ''] = HEREDOC.exec(this.#line) ?? []
    const isQuoted = /['"\\]/.test(word)
    const end = word.replace(/\\(.)|['"]/g, '$1')
    if (word !== '') this.#heredocs.push({ quotes: isQuoted ? 'verbatim' : 'heredoc', end, isIndented: dash === '-' })
    return this.#at + all.length
  }

  /** The offset behind the last line of a heredoc, where that is the line that begins here. */
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

  /** The end of a comment is the end of its line too. */
  #leave(at: number): number {
    return this.#frames.pop()?.quotes === 'comment' ? at - 1 : at
  }
}
