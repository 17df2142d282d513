import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/model/attempt.ts'
import { inJobs } from '../../src/queue/batches.ts'

const suite = { name: 'one' }

function attempt(id: number, more: object = {}): Attempt {
  return { id: String(id), suite, test: {}, target: { name: 'default' }, ...more } as unknown as Attempt
}

function attempts(count: number, more: object = {}): Attempt[] {
  return Array.from({ length: count }, (_, index) => attempt(index, more))
}

const idsOf = (jobs: Iterable<readonly Attempt[]>) => Array.from(jobs, job => job.map(({ id }) => id))

describe('inJobs', () => {
  it('keeps every attempt once and in order', () => {
    for (const count of [0, 1, 63, 64, 65, 500, 2000]) {
      const jobs = idsOf(inJobs(attempts(count), () => true))
      expect(jobs.flat()).toEqual(attempts(count).map(({ id }) => id))
    }
  })

  it('makes a few attempts jobs of their own, so that they spread over all workers', () => {
    expect(new Set(idsOf(inJobs(attempts(64), () => true)).map(job => job.length))).toEqual(new Set([1]))
  })

  it('makes batches that become smaller, down to one attempt', () => {
    const sizes = idsOf(inJobs(attempts(2000), () => true)).map(job => job.length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(sizes[0]).toBe(20)
    expect(sizes.slice(-60)).toEqual(Array(60).fill(1))
    expect(sizes.length).toBeLessThan(300)
  })

  it('puts attempts of different suites into different jobs', () => {
    const other = { name: 'two' }
    const mixed = attempts(1000).map((each, index) => (index % 2 === 0 ? each : { ...each, suite: other }))
    expect(idsOf(inJobs(mixed as Attempt[], () => true)).every(job => job.length === 1)).toBe(true)
  })

  it('makes a job of each conversation, and of each attempt that must be alone', () => {
    const talk = [attempt(900, { test: { conversation_id: 'c' } }), attempt(901, { test: { conversation_id: 'c' } })]
    const single = attempt(902, { test: { conversation_id: 'd' } })
    const units = [...attempts(3), talk, single, ...attempts(1000)]
    const jobs = idsOf(inJobs(units, ({ id }) => id !== '1'))
    expect(jobs.slice(0, 5)).toEqual([['0'], ['1'], ['2'], ['900', '901'], ['902']])
    expect(jobs.slice(5).some(job => job.length > 1)).toBe(true)
  })
})
