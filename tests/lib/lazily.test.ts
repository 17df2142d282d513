import { expect, it } from 'vitest'
import { lazily } from '../../src/lib/lazily.ts'

it('makes a value when it is first asked for, and only once', () => {
  let made = 0
  const value = lazily(() => ({ number: ++made }))
  expect(made).toBe(0)
  const first = value()
  expect(value()).toBe(first)
  expect(made).toBe(1)
})

it('makes undefined only once too', () => {
  let made = 0
  const nothing = lazily(() => {
    made++
  })
  nothing()
  nothing()
  expect(made).toBe(1)
})

it('tries again after a failure', () => {
  let isReady = false
  const value = lazily(() => {
    if (!isReady) throw new Error('not yet')
    return 'made'
  })
  expect(value).toThrow('not yet')
  isReady = true
  expect(value()).toBe('made')
})
