/** The syntax that JSON allows next. */
export type Expectation = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'end'

/** Returns what may follow a token, by its first character; undefined when the token is not allowed where `expects` is. */
export function step(expects: Expectation, token: string, open: string[]): Expectation | undefined {
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

/** The offset at which a token is invalid, and the reason if it has a specific one. */
interface NoToken {
  readonly badAt: number
  readonly reason?: string
}

export function tokenEnd(text: string, offset: number): number | NoToken {
  if (text[offset] === '"') return stringEnd(text, offset)
  if (text[offset] === "'") return { badAt: offset, reason: 'strings need double quotes' }
  WORD.lastIndex = offset
  return WORD.test(text) ? WORD.lastIndex : { badAt: offset }
}

/** Returns the offset after a string. A loop, because a regular expression would keep a state for each character. */
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

export function skipBlanks(text: string, offset: number): number {
  let end = offset
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++
  return end
}
