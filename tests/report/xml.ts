/** An element of an XML document. */
export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly Element[]
}

const NAME = '[A-Za-z_][\\w.-]*'
const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/
// XML 1.0, 2.2: every character allowed in a document.
const ALLOWED = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Parses the part of XML that reports need; rejects malformed input. */
export function readXml(document: string): Element {
  if (!DECLARATION.test(document)) throw new Error('no declaration')
  if (!ALLOWED.test(document)) throw new Error('a character that XML forbids')
  const reader = new Reader(document.replace(DECLARATION, ''))
  const root = reader.element()
  reader.take(/\s*$/y, 'the end')
  return root
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  element(): Element {
    const [, tag = ''] = this.take(new RegExp(`<(${NAME})`, 'y'), 'an element')
    const attributes: Record<string, string> = {}
    for (let next = this.#attribute(); next; next = this.#attribute()) {
      const [name, value] = next
      if (name in attributes) throw new Error(`${name} twice`)
      attributes[name] = value
    }
    const [end] = this.take(/\s*\/?>/y, 'the end of a tag')
    if (end.endsWith('/>')) return { tag, attributes, text: '', children: [] }
    const children: Element[] = []
    let text = this.#characters()
    while (!this.#text.startsWith('</', this.#at)) {
      children.push(this.element())
      text += this.#characters()
    }
    this.take(new RegExp(`</${tag}\\s*>`, 'y'), `</${tag}>`)
    return { tag, attributes, text, children }
  }

  #attribute(): [string, string] | undefined {
    const [found, name = '', value = ''] = this.#try(new RegExp(`\\s+(${NAME})="([^"<]*)"`, 'y')) ?? []
    // Literal whitespace becomes spaces; character references stay.
    return found === undefined ? undefined : [name, decoded(value.replace(/[\t\n\r]/g, ' '))]
  }

  #characters(): string {
    const [text = ''] = this.#try(/[^<]*/y) ?? []
    if (text.includes(']]>')) throw new Error(']]> in text')
    return decoded(text.replace(/\r\n?/g, '\n'))
  }

  take(pattern: RegExp, wanted: string): RegExpExecArray {
    const found = this.#try(pattern)
    if (!found) throw new Error(`${wanted} expected at ${this.#text.slice(this.#at, this.#at + 40)}`)
    return found
  }

  #try(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (all, name: string) => {
    const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? []
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const character = NAMED[name] ?? (Number.isNaN(code) ? undefined : String.fromCodePoint(code))
    if (!all.endsWith(';') || character === undefined || !ALLOWED.test(character))
      throw new Error(`bad reference ${all}`)
    return character
  })
}
