import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/redaction/redactor.ts'

const PEM =
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n'
const { text, json } = createRedactor(
  new Map([
    ['pa/ss<w>"o"rd\u00e9', 'KEY'],
    [PEM, 'PEM'],
    ['half\ud800character', 'HALF'],
  ]),
)

describe('a redactor', () => {
  it.each([
    ['at its end', 'a 70612f73733c77… b', 'a [KEY]… b'],
    ['at its beginning', 'a …73733c773e226f227264c3a9 b', 'a …[KEY] b'],
    ['at both', 'a …73733c773e226f22… b', 'a …[KEY]… b'],
    ['at both, with more around it', 'a …x 70612f73733c77… b', 'a …x [KEY]… b'],
  ])('finds a secret that was cut %s', (_, given, expected) => {
    expect(text(given)).toBe(expected)
  })

  it('leaves other texts between two cuts', () => {
    expect(text('a …other text… b …1234… c')).toBe('a …other text… b …1234… c')
  })

  it.each([
    ['as it is', 'pa/ss<w>"o"rd\u00e9'],
    ['in JSON', 'pa/ss<w>\\"o\\"rd\u00e9'],
    ['in JSON of ASCII', 'pa/ss<w>\\"o\\"rd\\u00e9'],
    ['in JSON of ASCII with slashes escaped', 'pa\\/ss<w>\\"o\\"rd\\u00e9'],
    ['in JSON that is safe in HTML', 'pa/ss\\u003cw\\u003e\\"o\\"rd\u00e9'],
    ['in a URL', 'pa%2Fss%3Cw%3E%22o%22rd%C3%A9'],
    ['in a URL with its slashes', 'pa/ss%3cw%3e%22o%22rd%c3%a9'],
    ['in HTML', 'pa/ss&lt;w&gt;&quot;o&quot;rd\u00e9'],
    ['in HTML by numbers', 'pa/ss&#60;w&#62;&#34;o&#34;rd\u00e9'],
    ['in hexadecimal digits', '70612f73733c773e226f227264c3a9'],
    ['in large ones', '70612F73733C773E226F227264C3A9'],
    ['in base64', 'cGEvc3M8dz4ibyJyZMOp'],
  ])('finds a secret %s', (_, form) => {
    expect(text(`a ${form} b`)).toBe('a [KEY] b')
  })

  it('finds a single line of a multi-line key', () => {
    expect(text('> MIIEvQIBADANBgkqhkiG9w0B\r\n')).toBe('> [PEM]\r\n')
    expect(text(`x\n${PEM}`)).toBe('x\n[PEM]')
  })

  it('accepts a value with a lone surrogate', () => {
    expect(text('half\ud800character')).toBe('[HALF]')
  })

  it('redacts keys too, including __proto__', () => {
    expect(json(JSON.parse(`{"__proto__": {"half\\ud800character": ["half\\ud800character"]}}`))).toBe(
      '{"__proto__":{"[HALF]":["[HALF]"]}}',
    )
  })
})
