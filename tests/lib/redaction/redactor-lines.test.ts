import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/redaction/redactor.ts'

const KEY = 'sk-live-4f9aQ2xR7LmZ81cd'
const { text } = createRedactor(new Map([[KEY, 'KEY']]))

/** Encodes a key with text around it, in lines of this width. */
function inLines(encoding: 'base64' | 'hex', width: number, before: number, lineBreak: string): string {
  const encoded = Buffer.from(`${'x'.repeat(before)}${KEY}${'y'.repeat(90)}`).toString(encoding)
  return encoded.match(new RegExp(`.{1,${width}}`, 'g'))?.join(lineBreak) ?? ''
}

const BREAKS = { 'a line feed': '\n', 'a Windows break': '\r\n', 'JSON in a text': '\\n', 'JSON twice': '\\\\r\\\\n' }

describe.each(['base64', 'hex'] as const)('a secret in %s', encoding => {
  describe.each(Object.entries(BREAKS))('wrapped with %s', (_, lineBreak) => {
    it.each([64, 76])('at %i columns is found wherever the line ends', width => {
      for (let before = 0; before < 80; before++) {
        const wrapped = inLines(encoding, width, before, lineBreak)
        const found = text(`out: ${wrapped} end`)
        expect(found).toContain('[KEY]')
        // No three bytes of the key remain.
        const rest = found.replaceAll(lineBreak, '')
        expect(rest).not.toContain(Buffer.from(KEY).subarray(6, 18).toString('hex'))
        for (const shift of [0, 1, 2])
          expect(rest).not.toContain(
            Buffer.from(KEY)
              .subarray(3 + shift, 18 + shift)
              .toString('base64'),
          )
      }
    })
  })
})

describe('wrapped lines', () => {
  it('keeps the lines before and after the secret', () => {
    const encoded = Buffer.from(KEY).toString('base64')
    expect(text(`first\nsecond\n${encoded.slice(0, 9)}\n${encoded.slice(9)}\nlast\n`)).toBe(
      'first\nsecond\n[KEY]\nlast\n',
    )
  })

  it('finds a secret that is wrapped in a unified diff', () => {
    const encoded = Buffer.from(KEY).toString('base64')
    const diff = `@@ -0,0 +1,3 @@\n+first line\n+${encoded.slice(0, 9)}\n+${encoded.slice(9)}\n+last line\n`
    expect(text(diff)).toBe('@@ -0,0 +1,3 @@\n+first line\n+[KEY]\n+last line\n')
  })

  it('finds a long secret that is wrapped itself', () => {
    expect(text('> token\n> sk-live-4f9a\n> Q2xR7LmZ81cd\n')).toBe('> token\n> [KEY]\n')
  })

  it('keeps words on separate lines that form a short secret only when joined', () => {
    const short = createRedactor(new Map([['passport', 'KEY']]))
    expect(short.text('pass\nport\nexport')).toBe('pass\nport\nexport')
  })

  it('takes linear time for any text', () => {
    const texts = ['a', 'ab\n', 'abcd\\', 'abcd ', '\\', '…', 'abcdefgh\n>', `${KEY}\n`].map(each =>
      each.repeat(2_000_000 / each.length),
    )
    for (const each of texts) expect(text(each).includes(KEY)).toBe(false)
  }, 20_000)
})

describe('a text of 10 MB', () => {
  const cut = KEY.slice(0, 8)
  it.each([
    ['in one word', 'x'.repeat(10_000_000)],
    ['in two lines', `${'x'.repeat(5_000_000)}\n${'y'.repeat(5_000_000)}`],
    ['of blanks', ' '.repeat(10_000_000)],
    ['of backslashes', '\\'.repeat(10_000_000)],
  ])('%s is searched, also for a key that a line break divides', (_, filling) => {
    const found = text(`${filling}${cut}\n${KEY.slice(8)}${filling}`)
    expect(found.length).toBe(2 * filling.length + '[KEY]'.length)
    expect(found.includes('[KEY]')).toBe(true)
  })
})

it('has nothing to redact if all values are too short', () => {
  expect(createRedactor(new Map([['42', 'PIN']])).text('42 is the answer')).toBe('42 is the answer')
})

describe('numbers', () => {
  const KEYS = { kept: new Set(['id']), counted: new Set(['usage']), free: new Set(['input']) }
  const numeric = createRedactor(
    new Map([
      ['8675309421', 'PIN'],
      ['0012345678', 'CODE'],
      ['short', 'X'],
    ]),
    KEYS,
  )
  const json = (value: unknown) => JSON.parse(numeric.json(value))

  it('are redacted below keys with arbitrary values if they are a secret', () => {
    expect(json({ input: { pin: 8675309421, list: [12345678, 5], nested: { input: -8675309421 } } })).toEqual({
      input: { pin: '[PIN]', list: ['[CODE]', 5], nested: { input: -8675309421 } },
    })
  })

  it('are kept below other keys', () => {
    const value = { line: 8675309421, usage: { input: 8675309421 }, id: '8675309421' }
    expect(json(value)).toEqual(value)
    expect(json({ wrapped: value })).toEqual({ wrapped: value })
  })

  it('and ids are redacted below keys with arbitrary values', () => {
    expect(json({ input: { id: '8675309421', usage: 8675309421 } })).toEqual({ input: { id: '[PIN]', usage: '[PIN]' } })
    expect(json({ list: [{ id: 'x8675309421' }] })).toEqual({ list: [{ id: 'x[PIN]' }] })
  })
})

describe('a secret of a URL', () => {
  it.each([
    ['as it is', 'p@ss/w:rd#1%'],
    ['in front of a host', new URL(`https://u:${encodeURIComponent('p@ss/w:rd#1')}@h`).password],
    ['percent-encoded', encodeURIComponent('p@ss/w:rd#1%')],
  ])('is found %s', (_, form) => {
    const url = createRedactor(
      new Map([
        ['p@ss/w:rd#1%', 'DB_PASS'],
        ['p@ss/w:rd#1', 'DB_PASS'],
      ]),
    )
    expect(url.text(`postgres://me:${form}@db/x`)).toBe('postgres://me:[DB_PASS]@db/x')
  })

  it('that is URL-encoded is found in its decoded form', () => {
    expect(createRedactor(new Map([['p%40ss%2Fword', 'PW']])).text('failed: p@ss/word')).toBe('failed: [PW]')
    expect(createRedactor(new Map([['100%zz-wrong', 'PW']])).text('100%zz-wrong')).toBe('[PW]')
  })
})
