import { lazily } from '../lazily.ts'
import { parseRegex, type RegexNode } from './parse-regex.ts'

/** Texts that a regular expression is likely to match. */
export interface RegexSamples {
  readonly texts: readonly string[]
  /** Whether it matches one of the texts unless it matches nothing at all: no assertion decides besides. */
  readonly is_complete: boolean
}

/** Longer samples are not written out. */
const LONGEST = 20_000

const MOST_OPTIONS = 4

/** Makes texts from the parts of a regular expression: each choice once, repetitions as few times as possible and once. */
export function regexSamples(pattern: string, flags = ''): RegexSamples {
  const node = parseRegex(pattern, flags)
  if (!node) return { texts: [], is_complete: false }
  const writers = Array.from({ length: MOST_OPTIONS }, (_, option) => option).flatMap(option =>
    [0, 1].flatMap(least => [WORDS, BLANKS].map(characters => new Writer({ option, least, characters, flags }))),
  )
  const written = writers.map(writer => ({ text: writer.write(node), writer }))
  const looked = new Set(written.flatMap(({ writer }) => [...writer.looked]))
  const whole = [...new Set(written.flatMap(({ text }) => (text === undefined ? [] : [text])))]
  const texts = [...whole, ...looked].flatMap(text => [text, `a ${text} a`, `-${text}-`, `a${text}a`, `\n${text}\n`])
  const isSure = written.every(({ text, writer }) => text !== undefined && !writer.has_assertions)
  return { texts: [...new Set(texts)], is_complete: isSure }
}

/** Characters to choose from, preferred ones first. */
const WORDS = [
  ...'aA0z9_ -.,:;!?@#$%&*+/\\|<>=()[]{}"\'`~^\n\t',
  ...'éß中ж😀',
  ...'bcdefghijklmnopqrstuvwxyBCDEFGHIJKLMNOPQRSTUVWXYZ12345678',
]
const BLANKS = [' ', '-', ...WORDS]

interface WriterOptions {
  /** Which alternative is written where there are several. */
  readonly option: number
  /** How often something optional is written. */
  readonly least: number
  readonly characters: readonly string[]
  readonly flags: string
}

class Writer {
  readonly #options: WriterOptions
  /** Texts that lookarounds ask about. */
  readonly looked = new Set<string>()
  has_assertions = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Undefined if it is too long, or if no character is found for a part of it. */
  write(node: RegexNode): string | undefined {
    switch (node.kind) {
      case 'text':
        return node.text
      case 'anchor':
        return ''
      case 'set':
        return this.#member(node.source)
      case 'sequence':
        return this.#join(node.parts)
      case 'choice':
        return this.write(node.options[this.#options.option % node.options.length] ?? EMPTY)
      case 'repeat':
        return this.#repeat(node.of, Math.min(Math.max(node.min, this.#options.least), node.max))
      default:
        return this.#assert(node)
    }
  }

  /** A character of a set. An empty set, such as `[^\s\S]`, matches nothing: whatever is written in its place. */
  #member(source: string): string | undefined {
    const { characters, flags } = this.#options
    const set = setOf(source, flags)
    const member = set && characters.find(character => set.test(character))
    if (member !== undefined || !set) return member
    return allCharacters().find(character => set.test(character)) ?? (flags.includes('u') ? undefined : '')
  }

  #join(parts: readonly RegexNode[]): string | undefined {
    let joined = ''
    for (const part of parts) {
      const text = this.write(part)
      if (text === undefined || joined.length + text.length > LONGEST) return undefined
      joined += text
    }
    return joined
  }

  #repeat(of: RegexNode, times: number): string | undefined {
    if (times === 0) return ''
    const text = this.write(of)
    return text === undefined || text.length * times > LONGEST ? undefined : text.repeat(times)
  }

  #assert(node: RegexNode): string {
    if (node.kind === 'look' && node.never) return ''
    this.has_assertions = true
    if (node.kind === 'look') {
      const text = this.write(node.of)
      if (text !== undefined) this.looked.add(text)
    }
    return ''
  }
}

const EMPTY: RegexNode = { kind: 'sequence', parts: [] }

/** Every character of two bytes. */
const allCharacters = lazily(() => Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)))

function setOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, flags)
  } catch {
    return undefined
  }
}
