import { describe, expect, it } from 'vitest'
import { SdkHeaders } from '../../../src/providers/shared/models/sdk-headers.ts'

const GIVEN = { 'X-Team': 'a', authorization: 'Bearer key' }

describe.each([
  ['a mapping', GIVEN],
  ['pairs', Object.entries(GIVEN)],
  ['other headers', new SdkHeaders(GIVEN)],
  ['nothing', undefined],
])('headers of SDKs from %s', (_, given) => {
  it('have the names and values of the headers of Node', () => {
    const ours = new SdkHeaders(given)
    const nodes = new Headers(given as Record<string, string>)
    for (const headers of [ours, nodes]) {
      headers.set('User-Agent', 'first')
      headers.set('user-agent', 'second')
      headers.delete('AUTHORIZATION')
    }
    expect(Object.fromEntries(ours.entries())).toEqual(Object.fromEntries(nodes.entries()))
    expect(ours.get('USER-AGENT')).toBe('second')
    expect(ours.has('X-TEAM')).toBe(nodes.has('X-TEAM'))
  })
})
