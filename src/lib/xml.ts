/** Why a text is not well-formed XML, and the offset of the reason. */
export interface XmlProblem {
  readonly problem: string
  readonly offset: number
}

const NAME =
  '[:A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}][-.:\\w\\u00b7\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u203f\\u2040\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}]*'
const ATTRIBUTE = `\\s+(${NAME})\\s*=\\s*("[^<"]*"|'[^<']*')`
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['declaration', /<\?xml\s+version\s*=\s*["']1\.[0-9]+["'](?:\s+[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\?>/y],
  ['instruction', new RegExp(`<\\?(?![xX][mM][lL][\\s?])${NAME}(?:\\s(?:(?!\\?>)[\\s\\S])*)?\\?>`, 'yu')],
  ['comment', /<!--(?:(?!--)[\s\S])*-->/y],
  ['cdata', /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*\]\]>/y],
  [
    'doctype',
    new RegExp(
      `<!DOCTYPE\\s+${NAME}(?:\\s+(?:SYSTEM|PUBLIC\\s+(?:"[^"]*"|'[^']*'))\\s+(?:"[^"]*"|'[^']*'))?\\s*>`,
      'yu',
    ),
  ],
  ['end', new RegExp(`</(${NAME})\\s*>`, 'yu')],
  ['start', new RegExp(`<(${NAME})((?:${ATTRIBUTE})*)\\s*(/?)>`, 'yu')],
  ['text', /[^<]+/y],
]

/**
 * Finds the first reason why a text is not well-formed XML 1.0. Entities other than the five of XML, and the internal
 * subset of a document type, are not supported: they are a reason too.
 */
export function findXmlProblem(text: string): XmlProblem | undefined {
  const forbidden = FORBIDDEN.exec(text)
  if (forbidden) return { problem: 'a character that XML does not allow', offset: forbidden.index }
  const nesting = new Nesting()
  for (let offset = 0; offset < text.length; ) {
    const [kind, found] = partAt(text, offset)
    if (!found) return { problem: 'markup that is not well-formed', offset }
    const [whole, name = '', attributes = ''] = found
    const problem = nesting.add(kind, { whole, name, offset }) ?? contentProblem(kind, whole, attributes)
    if (problem !== undefined) return { problem, offset }
    offset += whole.length
  }
  return nesting.endProblem()
}

interface Part {
  readonly whole: string
  readonly name: string
  readonly offset: number
}

/** The elements that are open, and what may be where. */
class Nesting {
  readonly #open: Part[] = []
  #hasRoot = false

  /** Adds a part. Returns the reason why it may not be here. */
  add(kind: string, part: Part): string | undefined {
    const problem = this.#open.length === 0 ? outsideProblem(kind, part, this.#hasRoot) : insideProblem(kind)
    if (problem !== undefined) return problem
    if (kind === 'start') {
      this.#hasRoot = true
      if (!part.whole.endsWith('/>')) this.#open.push(part)
    }
    if (kind !== 'end' || this.#open.pop()?.name === part.name) return undefined
    return `the end tag \`${part.name}\` does not match its start tag`
  }

  endProblem(): XmlProblem | undefined {
    const last = this.#open.at(-1)
    if (last) return { problem: `\`${last.name}\` is never closed`, offset: last.offset }
    return this.#hasRoot ? undefined : { problem: 'no element', offset: 0 }
  }
}

function partAt(text: string, offset: number): readonly [string, RegExpExecArray | null] {
  for (const [kind, pattern] of PARTS) {
    pattern.lastIndex = offset
    const found = pattern.exec(text)
    if (found) return [kind, found]
  }
  return ['', null]
}

/** What may not be before or after the root element. */
function outsideProblem(kind: string, { whole, offset }: Part, hasRoot: boolean): string | undefined {
  if (kind === 'text') return whole.trim() === '' ? undefined : 'text outside of the root element'
  if (kind === 'declaration') return offset === 0 ? undefined : 'an XML declaration that is not at the beginning'
  if (hasRoot && kind === 'start') return 'a second root element'
  if (hasRoot && kind === 'doctype') return 'a document type after the root element'
  return OUTSIDE.get(kind)
}

const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['cdata', 'CDATA outside of the root element'],
  ['end', 'an end tag without a start tag'],
])

function insideProblem(kind: string): string | undefined {
  return kind === 'declaration' || kind === 'doctype' ? 'a declaration inside of an element' : undefined
}

function contentProblem(kind: string, whole: string, attributes: string): string | undefined {
  if (kind === 'start') return attributesProblem(attributes)
  if (kind !== 'text') return undefined
  return whole.includes(']]>') ? '`]]>` outside of CDATA' : referenceProblem(whole)
}

function attributesProblem(attributes: string): string | undefined {
  const seen = new Set<string>()
  for (const [, name = '', value = ''] of attributes.matchAll(new RegExp(ATTRIBUTE, 'gu'))) {
    if (seen.has(name)) return `the attribute \`${name}\` twice`
    seen.add(name)
    const problem = referenceProblem(value)
    if (problem !== undefined) return problem
  }
  return undefined
}

const REFERENCE = /&(?:(?:amp|lt|gt|quot|apos)|#([0-9]+)|#x([0-9a-fA-F]+));|&/g
const LAST_CHARACTER = 0x10ffff

function referenceProblem(text: string): string | undefined {
  for (const [whole, decimal, hexadecimal] of text.matchAll(REFERENCE)) {
    if (whole === '&') return 'an `&` that is not the start of a known entity'
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '20', 16) : Number(decimal)
    if (code > LAST_CHARACTER || FORBIDDEN.test(String.fromCodePoint(code)))
      return `\`${whole}\`, which is not a character of XML`
  }
  return undefined
}
