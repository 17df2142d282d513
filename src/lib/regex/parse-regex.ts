/** A part of a regular expression. */
export type RegexNode =
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly of: RegexNode; readonly min: number; readonly max: number }
  /** One character out of a set, which is kept as written. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'text'; readonly text: string }
  /** `^` and `$`. */
  | { readonly kind: 'anchor' }
  | { readonly kind: 'boundary' }
  /** Looks ahead or behind; `never` is an empty negative one, which nothing satisfies. */
  | { readonly kind: 'look'; readonly of: RegexNode; readonly never: boolean }
  | { readonly kind: 'reference' }

/** Parses a valid JavaScript regular expression; undefined if part of it is not understood. */
export function parseRegex(pattern: string, flags = ''): RegexNode | undefined {
  const parser = new RegexParser(pattern, flags)
  try {
    return parser.parse()
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class NotUnderstood extends Error {}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }

/** Deeper nesting is not understood: each level is a call. */
const DEEPEST = 200

class RegexParser {
  readonly #pattern: string
  readonly #unicode: boolean
  #at = 0
  #depth = 0

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern
    this.#unicode = flags.includes('u')
  }

  parse(): RegexNode {
    const node = this.#choice()
    if (this.#at < this.#pattern.length) throw new NotUnderstood()
    return node
  }

  #choice(): RegexNode {
    if (++this.#depth > DEEPEST) throw new NotUnderstood()
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    this.#depth--
    const [only] = options
    return only && options.length === 1 ? only : { kind: 'choice', options }
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = []
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at)))
      parts.push(this.#quantified(this.#atom()))
    return { kind: 'sequence', parts }
  }

  #quantified(of: RegexNode): RegexNode {
    const [written, min, max] = this.#match(/(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/y) ?? []
    if (written === undefined) return of
    const most = Number.POSITIVE_INFINITY
    if (min !== undefined)
      return {
        kind: 'repeat',
        of,
        min: Number(min),
        max: max === undefined ? Number(min) : max === '' ? most : Number(max),
      }
    const first = written.charAt(0)
    return { kind: 'repeat', of, min: first === '+' ? 1 : 0, max: first === '?' ? 1 : most }
  }

  #atom(): RegexNode {
    if (this.#match(/[\^$]/y)) return { kind: 'anchor' }
    const set = this.#match(/\.|\[\^?(?:\\[\s\S]|[^\]\\])*\]|\\[dDwWsS]|\\[pP]\{[^}]*\}/y)
    if (set) return { kind: 'set', source: set[0] }
    if (this.#match(/\\[bB]/y)) return { kind: 'boundary' }
    if (this.#match(/\\(?:[1-9]\d*|k<[^>]*>)/y)) return { kind: 'reference' }
    if (this.#take('(')) return this.#group()
    return { kind: 'text', text: this.#character() }
  }

  #group(): RegexNode {
    const [kind = ''] = this.#match(/\?(?:[:=!]|<[=!]|<[^>]*>)/y) ?? []
    if (kind === '' && this.#pattern.charAt(this.#at) === '?') throw new NotUnderstood()
    const of = this.#choice()
    if (!this.#take(')')) throw new NotUnderstood()
    if (!/^\?<?[=!]$/.test(kind)) return of
    const isEmpty = of.kind === 'sequence' && of.parts.length === 0
    return { kind: 'look', of, never: kind.endsWith('!') && isEmpty }
  }

  #character(): string {
    const [, code, short, control] =
      this.#match(/\\(?:u\{([\da-fA-F]+)\}|(u[\da-fA-F]{4}|x[\da-fA-F]{2})|([nrtfv0]))/y) ?? []
    if (code !== undefined && !this.#unicode) throw new NotUnderstood()
    if (code !== undefined || short !== undefined)
      return String.fromCodePoint(Number.parseInt(code ?? short?.slice(1) ?? '', 16))
    if (control !== undefined) return CONTROLS[control] ?? ''
    if (this.#match(/\\c/y)) throw new NotUnderstood()
    const [written = ''] = this.#match(/\\?[\s\S]/uy) ?? []
    return written.length > 1 && written.startsWith('\\') ? written.slice(1) : written
  }

  #take(character: string): boolean {
    if (this.#pattern.charAt(this.#at) !== character) return false
    this.#at++
    return true
  }

  #match(part: RegExp): RegExpExecArray | undefined {
    part.lastIndex = this.#at
    const found = part.exec(this.#pattern)
    if (!found) return undefined
    this.#at = part.lastIndex
    return found
  }
}
