import { isMapping } from '../lib/objects.ts'
import type { ToolCall } from '../model/answer.ts'
import { DEEPEST_ANSWER } from '../model/answer-limits.ts'
import type { AttributedCall } from '../model/messages/subagents.ts'

/**
 * Formats a tool call as Python code: `greet(name='Alice')`, with a comment if a subagent made it. Never truncates, so
 * that `readCall` can parse it.
 */
export function callText(tool: string, input: unknown, agent_id?: string): string {
  const call = `${tool}(${argumentsText(input)})`
  return agent_id === undefined ? call : `${call}  # subagent ${agent_id.replace(/[^\w-]/g, '_') || '_'}`
}

const SUBAGENT = /\s+# subagent ([\w-]+)$/

function argumentsText(input: unknown): string {
  if (input === undefined) return ''
  if (!isMapping(input)) return pythonText(input)
  const entries = Object.entries(input)
  // Names that are not Python identifiers need a dictionary.
  if (!entries.every(([name]) => IDENTIFIER.test(name))) return `**${pythonText(input)}`
  return entries.map(([name, value]) => `${name}=${pythonText(value)}`).join(', ')
}

/** A Python identifier; keywords are allowed too. */
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Formats a value as Python's `repr` does. */
function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'number') return pythonNumber(value)
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  const entries = Object.entries(value as object).map(([key, part]) => `${pythonString(key)}: ${pythonText(part)}`)
  return `{${entries.join(', ')}}`
}

/** Formats a whole number as an int: JSON does not distinguish 1 from 1.0. */
function pythonNumber(value: number): string {
  if (value === 0) return '0'
  // Python uses exponents earlier than JavaScript.
  const text = Math.abs(value) < 1e-4 ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Uses double quotes only if the text contains single quotes and no double ones. */
function pythonString(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  // Characters that Python escapes: controls, separators except the space, surrogates, backslash and quote.
  const special = quote === '"' ? /(?! )[\p{C}\p{Z}\\"]/gu : /(?! )[\p{C}\p{Z}\\']/gu
  const escaped = value.replace(special, character => {
    if (character === quote) return `\\${quote}`
    return ESCAPES.get(character) ?? escapeOf(character)
  })
  return `${quote}${escaped}${quote}`
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** Parses a call as written by `callText` or other programs. If the arguments cannot be parsed, returns only the tool. */
export function readCall(text: string): Pick<AttributedCall, 'tool' | 'input' | 'agent_id'> {
  const agent_id = SUBAGENT.exec(text)?.[1]
  const call = readPlainCall(agent_id === undefined ? text : text.replace(SUBAGENT, ''))
  return agent_id === undefined ? call : { ...call, agent_id }
}

function readPlainCall(text: string): Pick<ToolCall, 'tool' | 'input'> {
  const open = text.indexOf('(')
  const tool = (open < 0 ? text : text.slice(0, open)).trim()
  if (open < 0 || !text.trimEnd().endsWith(')')) return { tool: tool || text }
  try {
    return { tool: tool || text, input: new PythonReader(text.trimEnd().slice(open + 1, -1)).callArguments() }
  } catch (error) {
    if (!(error instanceof NotPython)) throw error
    return { tool: tool || text }
  }
}

class NotPython extends Error {}

function notPython(): never {
  throw new NotPython()
}

/** Parses values written by Python's `repr`. */
class PythonReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  /** `name='Alice', times=2`, `**{'a b': 1}`, one value, or nothing. */
  callArguments(): unknown {
    if (this.#isAtEnd()) return {}
    if (this.#take(/\*\*/y)) return this.#whole(this.#value())
    const named: [string, unknown][] = []
    for (let name = this.#name(); name !== undefined; name = this.#take(/,/y) && this.#name()) {
      named.push([name, this.#value()])
    }
    return named.length > 0 ? this.#whole(Object.fromEntries(named)) : this.#whole(this.#value())
  }

  #whole<Value>(value: Value): Value {
    if (!this.#isAtEnd()) throw new NotPython()
    return value
  }

  #name(): string | undefined {
    const before = this.#at
    const name = this.#take(/[^\s=,'"()[\]{}]+/y)
    if (name !== undefined && IDENTIFIER.test(name) && this.#take(/=/y)) return name
    this.#at = before
    return undefined
  }

  #value(): unknown {
    // The arguments count as a level too.
    if (++this.#depth >= DEEPEST_ANSWER) throw new NotPython()
    const value = this.#anyValue()
    this.#depth--
    return value
  }

  #anyValue(): unknown {
    const quote = this.#take(/['"]/y)
    if (quote) return this.#string(quote)
    if (this.#take(/\[/y)) return this.#items(/\]/y, () => this.#value())
    if (this.#take(/\(/y)) return this.#items(/\)/y, () => this.#value())
    if (this.#take(/\{/y)) return Object.fromEntries(this.#items(/\}/y, () => this.#entry()))
    const word = this.#take(/[^\s,:()[\]{}]+/y)
    if (word !== undefined && WORDS.has(word)) return WORDS.get(word)
    if (word === undefined || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) throw new NotPython()
    return Number(word)
  }

  #items<Item>(end: RegExp, read: () => Item): Item[] {
    const items: Item[] = []
    while (!this.#take(end)) {
      if (items.length > 0 && !this.#take(/,/y)) throw new NotPython()
      if (this.#take(end)) break
      items.push(read())
    }
    return items
  }

  #entry(): [string, unknown] {
    const key = this.#value()
    if (!this.#take(/:/y)) throw new NotPython()
    return [String(key), this.#value()]
  }

  /** Scans character by character: the text may be long or unterminated. */
  #string(quote: string): string {
    const start = this.#at
    let end = start
    while (this.#text[end] !== quote) {
      if (end >= this.#text.length) throw new NotPython()
      end += this.#text[end] === '\\' ? 2 : 1
    }
    this.#at = end + 1
    return this.#text.slice(start, end).replace(ESCAPE, (_, hex: string | undefined, character: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex.slice(1), 16))
      return UNESCAPED.get(character) ?? notPython()
    })
  }

  #isAtEnd(): boolean {
    this.#take(/\s*/y)
    return this.#at === this.#text.length
  }

  /** Consumes `pattern` after optional whitespace. */
  #take(pattern: RegExp): string | undefined {
    BLANKS.lastIndex = this.#at
    BLANKS.exec(this.#text)
    pattern.lastIndex = BLANKS.lastIndex
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }
}

const BLANKS = /\s*/y
const ESCAPE = /\\(?:(x[\da-f]{2}|u[\da-f]{4}|U00(?:0[\da-f]|10)[\da-f]{4})|(.))/gsu
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
])
const UNESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])
