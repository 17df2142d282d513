import { describe, expect, it } from 'vitest'
import { addFilledSecrets, addWrittenSecrets, isSecret } from '../../../src/parse/targets/secrets.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

function written(target: object): Record<string, string> {
  const secrets = new Map<string, string>()
  addWrittenSecrets(target, secrets)
  return Object.fromEntries(secrets)
}

describe('a name', () => {
  it.each(['DB_PASS', 'dbPass', 'db-pass', 'PASS', 'user_pwd', 'Cookie', 'Set-Cookie', 'sessionId', 'HTTPSession'])(
    '%s marks a secret',
    name => expect(isSecret('123456', [name])).toBe(true),
  )

  it.each(['awsCredentials', 'CREDENTIAL_1', 'passwd', 'MY_API_KEY', 'accessToken'])('%s marks a secret', name =>
    expect(isSecret('123456', [name])).toBe(true),
  )

  it.each(['compass', 'COMPASS_DIR', 'bypass', 'passenger', 'obsession', 'cookiecutter', 'PASSED', 'URL'])(
    '%s does not',
    name => expect(isSecret('123456', [name])).toBe(false),
  )

  it('does not make a short value a secret', () => expect(isSecret('12345', ['DB_PASS'])).toBe(false))
})

describe('a literal value', () => {
  it('is a secret with its scheme and without it', () => {
    expect(written({ headers: { Authorization: 'Bearer abc-123-def' } })).toEqual({
      'Bearer abc-123-def': 'Authorization',
      'abc-123-def': 'Authorization',
    })
  })

  it('in Basic is also the pair and the password that it encodes', () => {
    const encoded = base64('alice:wonder:land')
    expect(Object.keys(written({ headers: { Authorization: `Basic ${encoded}` } }))).toEqual([
      `Basic ${encoded}`,
      encoded,
      'alice:wonder:land',
      'wonder:land',
    ])
  })

  it('as a cookie is also each of its values that is not a word', () => {
    const cookie = 'theme=dark; lang=german; sid=Zx81-abc; long=abcdefghijkl'
    expect(Object.keys(written({ headers: { Cookie: cookie } }))).toEqual([cookie, 'Zx81-abc', 'abcdefghijkl'])
  })

  it('is a secret as a number', () => {
    expect(written({ api_key: 12345678, env: { DB_PASS: 987654, PORT: 808080 } })).toEqual({
      12345678: 'api_key',
      987654: 'DB_PASS',
    })
  })

  it('is a secret as a password or a secret parameter of a URL', () => {
    const url = 'https://me:hunter-22@example.test/x?page=page-one&token=tok-123456&q={{prompt}}'
    expect(written({ url, body: { nested: ['postgres://u:pw-in-list@db'] } })).toEqual({
      'hunter-22': 'password',
      'tok-123456': 'token',
      'pw-in-list': 'password',
    })
    expect(written({ url: 'https://me:${{ X }}@h/?key={{prompt}}' })).toEqual({})
  })
})

describe('a value with its variables filled in', () => {
  it('adds secrets that appear only then', () => {
    const encoded = base64('me:open-sesame')
    const secrets = new Map([[encoded, 'LOGIN']])
    addFilledSecrets({ headers: { Authorization: `Basic ${encoded}` }, url: 'https://u:filled-in@h' }, secrets)
    expect(Object.fromEntries(secrets)).toEqual({
      [encoded]: 'LOGIN',
      'me:open-sesame': 'Authorization',
      'open-sesame': 'Authorization',
      'filled-in': 'password',
    })
  })
})
