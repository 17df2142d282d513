/**
 * Where a text stops being JSON, and why. Only for texts that `JSON.parse` has refused: its messages carry no offset
 * on every Node.
 */
export function jsonError(text: string): { offset: number; reason: string } {
  const open: string[] = []
  let expects: Expectation = 'value'
  let offset = skipBlanks(text, 0)
  while (offset < text.length) {
    const end = tokenEnd(text, offset)
    if (typeof end === 'object')
      return {
        offset: end.badAt,
        reason: end.reason ?? `expected ${WORDS[expects]}, found \`${wordAt(text, offset)}\``,
      }
    const next = step(expects, text[offset] ?? '', open)
    if (next === undefined)
      return { offset, reason: `expected ${WORDS[expects]}, found \`${shown(text, offset, end)}\`` }
    expects = next
    offset = skipBlanks(text, end)
  }
  return { offset, reason: `it ends where ${WORDS[expects]} is expected` }
}

const WORDS = {
  value: 'a value',
  'value or ]': 'a value or `]`',
  key: 'a key in double quotes',
  'key or }': 'a key in double quotes or `}`',
  ':': '`:`',
  ', or ]': '`,` or `]`',
  ', or }': '`,` or `}`',
  end: 'nothing more',
} as const

type Expectation = keyof typeof WORDS

/** What may follow a token where `expects` was due, by the token's first character; undefined when it may not stand there. */
function step(expects: Expectation, token: string, open: string[]): Expectation | undefined {
  const closed = CLOSES[token]
  if (closed) {
    if (!closed.includes(expects)) return undefined
    open.pop()
    return afterValue(open)
  }
  const separated = SEPARATES[token]
  if (separated) return separated[expects]
  if (expects === 'key' || expects === 'key or }') return token === '"' ? ':' : undefined
  if (expects !== 'value' && expects !== 'value or ]') return undefined
  if (token !== '{' && token !== '[') return afterValue(open)
  open.push(token)
  return token === '{' ? 'key or }' : 'value or ]'
}

const CLOSES: Record<string, readonly Expectation[]> = { '}': ['key or }', ', or }'], ']': ['value or ]', ', or ]'] }

const SEPARATES: Record<string, Partial<Record<Expectation, Expectation>>> = {
  ',': { ', or }': 'key', ', or ]': 'value' },
  ':': { ':': 'value' },
}

function afterValue(open: readonly string[]): Expectation {
  const last = open.at(-1)
  if (last === undefined) return 'end'
  return last === '{' ? ', or }' : ', or ]'
}

const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[{}[\],:]/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Where the text stops being a token, and why where that is more than "something else". */
interface NoToken {
  readonly badAt: number
  readonly reason?: string
}

function tokenEnd(text: string, offset: number): number | NoToken {
  if (text[offset] === '"') return stringEnd(text, offset)
  if (text[offset] === "'") return { badAt: offset, reason: 'strings need double quotes' }
  WORD.lastIndex = offset
  return WORD.test(text) ? WORD.lastIndex : { badAt: offset }
}

/** The offset behind a string. A loop, because a pattern would keep a state for each of its characters. */
function stringEnd(text: string, start: number): number | NoToken {
  for (let offset = start + 1; offset < text.length; ) {
    const character = text.charCodeAt(offset)
    if (character === QUOTE) return offset + 1
    if (character < SPACE) return { badAt: offset, reason: 'a control character in a string must be escaped' }
    if (character === BACKSLASH) {
      ESCAPE.lastIndex = offset
      if (!ESCAPE.test(text)) return { badAt: offset, reason: 'there is no such escape' }
      offset = ESCAPE.lastIndex
    } else offset++
  }
  return { badAt: start, reason: 'this string is not closed' }
}

const [QUOTE, BACKSLASH, SPACE] = [0x22, 0x5c, 0x20]

function skipBlanks(text: string, offset: number): number {
  let end = offset
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++
  return end
}

function wordAt(text: string, offset: number): string {
  return text.slice(offset, offset + 20).replace(/(?<=.)[\s,:{}[\]"'].*$/s, '')
}

function shown(text: string, start: number, end: number): string {
  return end - start > 20 ? `${text.slice(start, start + 20)}…` : text.slice(start, end)
}
