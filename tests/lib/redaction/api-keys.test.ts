import { describe, expect, it } from 'vitest'
import { redactApiKeys, redactApiKeysIn } from '../../../src/lib/redaction/api-keys.ts'

const filled = (part: string) => part.repeat(Math.ceil(1_000_000 / part.length))
const PLAIN = '0123456789abcdef01'

describe('API keys', () => {
  it.each([
    ['a name in an underscored word', `{"access_token": "${PLAIN}"}`, '{"access_token": "[key]"}'],
    ['a token of three parts', `as eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4, yes`, 'as [key], yes'],
    [
      'a private key after one that has no end',
      '-----BEGIN PRIVATE KEY-----\nx\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n',
      '-----BEGIN PRIVATE KEY-----\nx\n[key]\n',
    ],
    ['ordinary words (unchanged)', 'the token: see page twelve of the manual', undefined],
  ])('are found as %s', (_, text, cleaned = text) => {
    expect(redactApiKeys(text)).toBe(cleaned)
  })

  it('are found by the name of their field, and in names of fields', () => {
    const args = {
      api_key: PLAIN,
      deep: [{ 'client-secret': PLAIN, token: 'none' }],
      'sk-abcdefghijklmnop12': 1,
      id: PLAIN,
    }
    expect(redactApiKeysIn(args)).toEqual({
      api_key: '[key]',
      deep: [{ 'client-secret': '[key]', token: 'none' }],
      '[key]': 1,
      id: PLAIN,
    })
  })

  it.each(['-----BEGIN PRIVATE KEY-----', 'eyJaaaaaaaaaaaa-', 'a-eyJ', 'secret:a', 'Bearer '])(
    'are not found in a megabyte of %s, without backtracking',
    part => {
      expect(redactApiKeys(filled(part)) === filled(part)).toBe(true)
    },
  )

  it.each(['Bearer ', 'sk-', 'eyJ', 'token: 1', 'eyJaaaaaaaaaaaa.'])(
    'are found in front of 10 MB of letters: %s',
    part => {
      expect(redactApiKeys(`${part}${'a'.repeat(10_000_000)}`)).toContain(part.startsWith('eyJ') ? part : '[key]')
    },
  )
})
