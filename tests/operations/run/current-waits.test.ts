import { expect, it } from 'vitest'
import type { Attempt } from '../../../src/model/attempt.ts'
import { CurrentWaits } from '../../../src/operations/run/current-waits.ts'

it('CurrentWaits has one wait for each target, with its longest wait and its attempts', () => {
  const waits = new CurrentWaits()
  const wait = (id: string, target: string, ms: number, reason: string) =>
    waits.add({ type: 'waiting', attempt: { id } as Attempt, target, ms, reason }, 1000)
  wait('a', 'gpt', 3000, 'rate limit')
  wait('b', 'gpt', 9000, 'overloaded')
  wait('c', 'gpt', 1000, 'rate limit')
  wait('d', 'judge', 12_000, 'rate limit')
  expect(waits.at(1500)).toEqual([
    { target: 'judge', ms: 11_500, reason: 'rate limit', attempts: 1 },
    { target: 'gpt', ms: 8500, reason: 'overloaded', attempts: 3 },
  ])
  expect(waits.isWaiting('c', 1500)).toBe(true)
  expect(waits.isWaiting('c', 2000)).toBe(false)
  waits.finish('b')
  waits.finish('d')
  expect(waits.at(2000)).toEqual([{ target: 'gpt', ms: 2000, reason: 'rate limit', attempts: 1 }])
  expect(waits.at(4000)).toEqual([])
})
