import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/lib/json/stringify.ts'
import { shortHash } from '../../src/lib/sha256.ts'
import { requestId } from '../../src/model/messages/recorded-messages.ts'

describe('requestId', () => {
  it.each([
    [[]],
    [[{ role: 'user', content: 'a "b"\n\ud800 \u2028 é' }]],
    [[{ content: '', role: 'user' }]],
    [[{ role: 'user', content: 'a' }, { setup: ['b'] }]],
    [[{ role: 'user', content: 'a', name: 'b' }]],
    [[{ role: 'user', content: [{ value: 'a', type: 'text' }] }]],
    [[{ role: 'user', content: undefined }]],
    [[{ role: 'user', text: 'a' }]],
  ])('is the hash of the canonical JSON of %j', messages => {
    expect(requestId(messages)).toBe(shortHash(canonicalJson(messages)))
  })
})
