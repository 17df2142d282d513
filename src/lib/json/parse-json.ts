import { type Expectation, skipBlanks, step, tokenEnd } from './tokens.ts'

/** Parses JSON; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Locates the syntax error in a text that `JSON.parse` has rejected, whose own messages do not have an offset
 * on every Node.
 */
export function findJsonError(text: string): { offset: number; reason: string } {
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
      return { offset, reason: `expected ${WORDS[expects]}, found \`${excerpt(text, offset, end)}\`` }
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
} as const satisfies Record<Expectation, string>

function wordAt(text: string, offset: number): string {
  return text.slice(offset, offset + 20).replace(/(?<=.)[\s,:{}[\]"'].*$/s, '')
}

function excerpt(text: string, start: number, end: number): string {
  return end - start > 20 ? `${text.slice(start, start + 20)}…` : text.slice(start, end)
}
