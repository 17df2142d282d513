/** Shorter secrets would occur in ordinary words. */
export const SHORTEST = 6

/** The shortest line of a multi-line value, such as a key file, that is searched by itself. */
const SHORTEST_LINE = 12

/** The forms in which a value occurs in text: plain, by line, in JSON, URLs, forms, HTML, base64 and hexadecimal. */
export function secretForms(secret: string): Set<string> {
  const lines = secret.split(/\r?\n/).map(line => line.trim())
  const values = [secret, secret.trim(), ...lines.filter(line => line.length >= SHORTEST_LINE)]
  const forms = values.flatMap(value => [
    value,
    ...inJson(value),
    ...inUrls(value),
    ...inHtml(value),
    ...byteForms(value),
  ])
  return new Set(forms.filter(form => form.length >= SHORTEST))
}

/** JSON serializers differ in what they escape: slashes, non-ASCII characters, characters of HTML. */
function inJson(value: string): string[] {
  const plain = jsonText(value)
  const ascii = (text: string) => text.replace(/[^ -~]/g, escaped)
  const forHtml = plain.replace(/[<>&']/g, escaped)
  return [
    plain,
    jsonText(plain),
    plain.replaceAll('/', '\\/'),
    ascii(plain),
    ascii(plain).replaceAll('/', '\\/'),
    forHtml,
  ]
}

function jsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function inUrls(value: string): string[] {
  // A URL cannot contain a lone surrogate.
  const whole = value.replace(/\p{Surrogate}/gu, '\ufffd')
  const part = encodeURIComponent(whole)
  const strict = part.replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams({ '': value }).toString().slice(1)
  const forms = [part, strict, strict.replaceAll('%2F', '/'), encodeURI(whole), form, ...inUrlParts(whole)]
  return [...forms, ...forms.map(lowerHex), ...decoded(value)]
}

/** As URL parsers write a value in the user info, and in a path or query. */
function inUrlParts(whole: string): string[] {
  const outside = whole.replace(/[^!-~]|["#<>?`{}/:;=@[\\\]^|]/gu, encodeURIComponent)
  return [outside, whole.replace(/[^!-~]|["<>`{}]/gu, encodeURIComponent)]
}

/** The decoded form of a value that is URL-encoded itself. */
function decoded(value: string): string[] {
  if (!/%[0-9a-f]{2}/i.test(value)) return []
  try {
    return [decodeURIComponent(value)]
  } catch {
    return []
  }
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())
}

/** HTML serializers differ in whether and how they escape quotes. */
function inHtml(value: string): string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quotes = ["'", '&#39;', '&#x27;', '&apos;'].flatMap(single =>
    ['&quot;', '&#34;'].map(double => text.replaceAll("'", single).replaceAll('"', double)),
  )
  return [text, ...quotes, value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)]
}

/** Hexadecimal, and base64 at each of the three offsets at which a value may begin. */
export function byteForms(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].map(before => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const begin = before === 0 ? 0 : before + 1
    return padded.toString('base64').slice(begin, Math.floor((padded.length * 4) / 3))
  })
  return [hex, hex.toUpperCase(), ...base64, ...base64.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))]
}
