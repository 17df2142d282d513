import { describe, expect, it } from 'vitest'
import { judgeConsistency } from '../../../src/lib/statistics/judge-consistency.ts'
import { lengthProbe } from '../../../src/lib/statistics/length-probe.ts'
import { expectClose } from './expect-close.ts'
import { CONSISTENCIES, LENGTH_PROBES } from './vectors/judge-probes.ts'

describe('the consistency of a judge', () => {
  it.each(CONSISTENCIES)('of $calls calls', ({ calls, passes, output }) => {
    const found = judgeConsistency(calls, passes) ?? expect.fail('no answers')
    expect(found.agreement_of_two_calls).toBeCloseTo(output.agreement_of_two_calls, 9)
    expect(found.standard_error).toBeCloseTo(output.se, 9)
    expect(found.answers_that_flip).toBe(output.answers_that_flip)
    expect(found.flip_rate.interval.low).toBeCloseTo(output.flip_rate_interval[0], 9)
    expect(found.flip_rate.interval.high).toBeCloseTo(output.flip_rate_interval[1], 9)
  })

  it('is undefined without answers and with a single call', () => {
    expect(judgeConsistency(5, [])).toBeUndefined()
    expect(judgeConsistency(1, [1, 0])).toBeUndefined()
    expect(judgeConsistency(3, [2])?.standard_error).toBeUndefined()
  })

  it('rejects more passes than calls', () => {
    expect(() => judgeConsistency(3, [4])).toThrow(RangeError)
  })
})

describe('the length probe', () => {
  it.each(LENGTH_PROBES)('of answers of $characters characters', ({ characters, human, judge, output }) => {
    const answers = characters.map((each, index) => ({
      characters: each,
      label: human[index] ?? Number.NaN,
      judged: judge[index] ?? Number.NaN,
    }))
    const found = lengthProbe(answers) ?? expect.fail('no slope')
    expect(found.per_doubling).toBeCloseTo(output.per_doubling, 9)
    expect(found.standard_error).toBeCloseTo(output.se, 9)
    expect(found.interval.low).toBeCloseTo(output.interval[0], 9)
    expect(found.interval.high).toBeCloseTo(output.interval[1], 9)
    expectClose(found.p, output.p, 1e-6)
  })

  const answer = (characters: number, label: number, judged: number) => ({ characters, label, judged })

  it('is undefined for fewer than three answers, and for answers of one length', () => {
    expect(lengthProbe([answer(10, 1, 1), answer(20, 1, 1)])).toBeUndefined()
    expect(lengthProbe([answer(10, 1, 1), answer(10, 1, 0), answer(10, 0, 1)])).toBeUndefined()
  })

  it('finds nothing where judge and people agree, and a slope without any rest', () => {
    expect(lengthProbe([answer(10, 1, 1), answer(20, 0, 0), answer(40, 1, 1)])).toMatchObject({ per_doubling: 0, p: 1 })
    const found = lengthProbe([answer(1, 0, 0), answer(2, 0, 0.25), answer(4, 0, 0.5)])
    expect([found?.per_doubling, found?.p]).toEqual([0.25, Number.MIN_VALUE])
  })

  it('rejects an answer without characters', () => {
    expect(() => lengthProbe([answer(0, 1, 1), answer(1, 1, 1), answer(2, 1, 1)])).toThrow(RangeError)
  })
})
