import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CertainPassRate } from '../../../src/run/deciding/certain-pass-rate.ts'
import { planOf } from '../../plan/planned-run.ts'

/** Feeds the outcomes of the attempts in order, and returns what is certain after each. */
function decisionsOf(required: number, outcomes: readonly boolean[], trials = 1) {
  const tests = Array.from({ length: outcomes.length / trials }, (_, index) => ({ id: `t${index}` }))
  const { attempts } = planOf({ tests, trials })
  const certain = new CertainPassRate(attempts, required)
  return outcomes.map((passed, index) => {
    certain.record({ attempt_id: attempts[index]?.id ?? '', verdict: passed ? 'pass' : 'fail' })
    return certain.isDecided ? certain.decisions[0]?.decision : undefined
  })
}

const made = (passed: number, failed: number, open: number) => [
  ...Array<boolean>(passed).fill(true),
  ...Array<boolean>(failed).fill(false),
  ...Array<boolean>(open).fill(false),
]

describe('CertainPassRate', () => {
  it.each<[required: number, passed: number, failed: number, open: number, expected: string | undefined]>([
    [0.9, 9, 0, 1, 'reached'],
    [0.9, 8, 1, 1, undefined],
    [0.9, 8, 2, 0, 'missed'],
    [0.7, 7, 0, 3, 'reached'],
    [0.07, 7, 0, 93, 'reached'],
    [0.29, 28, 71, 1, undefined],
    [0.29, 28, 72, 0, 'missed'],
    [1, 5, 0, 0, 'reached'],
    [1, 0, 1, 4, 'missed'],
  ])('required %d, %d passed, %d failed, %d open: %s', (required, passed, failed, open, expected) => {
    expect(decisionsOf(required, made(passed, failed, open))[passed + failed - 1]).toBe(expected)
  })

  it('never changes what it once says, and ends with the gate of all tests', () => {
    const share = fc.integer({ min: 0, max: 1000 }).map(part => part / 1000)
    const outcomes = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(share, outcomes, fc.integer({ min: 1, max: 3 }), (required, single, trials) => {
        const all = Array.from({ length: trials }, () => single).flat()
        const found = decisionsOf(required, all, trials)
        const rate = all.filter(Boolean).length / all.length
        const final = rate >= required - 1e-9 ? 'reached' : 'missed'
        expect(found.at(-1)).toBe(final)
        expect(found.every(each => each === undefined || each === final)).toBe(true)
      }),
    )
  })
})
