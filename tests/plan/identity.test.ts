import { expect, it } from 'vitest'
import type { Suite } from '../../src/model/suite.ts'
import { Identities } from '../../src/plan/identity.ts'
import { loadTest } from '../support/checks.ts'

async function hashOf(check: string): Promise<string> {
  const test = await loadTest([check])
  return new Identities(new Map(), new Map()).test({ name: 'one' } as Suite, test, { request_id: 'request' }).test_hash
}

it('makes a test another one if a check applies to other targets', async () => {
  const everywhere = await hashOf('{ type: contains, value: Hi }')
  const one = await hashOf('{ type: contains, value: Hi, applies_to: [one] }')
  const two = await hashOf('{ type: contains, value: Hi, applies_to: [one, two] }')
  expect(new Set([everywhere, one, two]).size).toBe(3)
})

it('makes a test another one if a nested check applies to other targets', async () => {
  const nested = (targets: string) =>
    hashOf(`{ type: composite, evaluators: [{ type: contains, value: Hi${targets} }] }`)
  expect(await nested(', applies_to: [one]')).not.toBe(await nested(''))
})

it('ignores the order of the targets that a check applies to', async () => {
  const hash = await hashOf('{ type: contains, value: Hi, applies_to: [one, two] }')
  expect(await hashOf('{ type: contains, value: Hi, applies_to: [two, one, two] }')).toBe(hash)
})
