import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, candidateOf, drawSample } from '../../../src/operations/label/sample.ts'
import { hugeSize } from '../../support/random-examples.ts'
import { resultWith } from '../../support/recorded-run.ts'

/** Attempts of tests on targets; few answers, so that some are equal. */
const candidates = fc
  .array(
    fc.record({
      test: fc.nat(12),
      target: fc.constantFrom('a', 'b', 'c'),
      text: fc.nat(5),
      is_passed: fc.boolean(),
      suite: fc.constantFrom('one', 'two'),
    }),
    { maxLength: 120 },
  )
  .map(attempts =>
    attempts.map(
      ({ test, target, text, is_passed, suite }, index): Candidate => ({
        attempt_id: `attempt-${index}`,
        suite,
        target,
        is_passed,
        answer: { test_id: `t${test}`, task_hash: 'task', answer_sha256: String(text) },
      }),
    ),
  )
const size = fc.integer({ min: 1, max: 60 })
const seed = fc.nat(1000)

const answerOf = ({ suite, answer }: Candidate) => `${suite} ${answer.test_id} ${answer.answer_sha256}`
const count = <Item>(items: readonly Item[], keyOf: (item: Item) => string) => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

/** Attempts with different answers: `tests` tests on each target, passed or failed. */
function grid(tests: number, targets: readonly string[], trials: number, isPassed: (test: number) => boolean) {
  return targets.flatMap(target =>
    Array.from({ length: tests * trials }, (_, index): Candidate => {
      const test = index % tests
      return {
        attempt_id: `${target} ${index}`,
        suite: 'suite',
        target,
        is_passed: isPassed(test),
        answer: { test_id: `t${test}`, task_hash: 'task', answer_sha256: `${target} ${index}` },
      }
    }),
  )
}

describe('a sample', () => {
  it('has no answer to a task twice, and as many as there are', () => {
    fc.assert(
      fc.property(candidates, size, seed, (all, size, seed) => {
        const sample = drawSample(all, { size, seed })
        expect(new Set(sample.map(answerOf)).size).toBe(sample.length)
        expect(sample.length).toBe(Math.min(size, new Set(all.map(answerOf)).size))
      }),
    )
  })

  it('is the same for the same seed, whatever the order of the records', () => {
    fc.assert(
      fc.property(candidates, size, seed, (all, size, seed) => {
        const again = drawSample(all.toReversed(), { size, seed })
        expect(drawSample(all, { size, seed })).toEqual(again)
      }),
    )
  })

  it('contains the smaller sample with the same seed', () => {
    fc.assert(
      fc.property(candidates, size, seed, (all, size, seed) => {
        const large = new Set(drawSample(all, { size: size + 7, seed }).map(({ attempt_id }) => attempt_id))
        for (const { attempt_id } of drawSample(all, { size, seed })) expect(large).toContain(attempt_id)
      }),
    )
  })

  it('is half passed and half failed; if one side has too few, the other fills up', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), size, seed, (passed, failed, size, seed) => {
        const all = grid(passed + failed, ['a'], 1, test => test < passed)
        const sample = drawSample(all, { size, seed })
        const drawn = sample.filter(({ is_passed }) => is_passed).length
        const missing = sample.length - drawn
        expect(sample.length).toBe(Math.min(size, passed + failed))
        if (Math.abs(drawn - missing) > 1) expect(Math.min(drawn, missing)).toBe(Math.min(passed, failed))
      }),
    )
  })

  it('is spread over targets on each side, and over tests', () => {
    fc.assert(
      fc.property(seed, seed => {
        const all = grid(40, ['a', 'b'], 3, test => test % 2 === 0)
        const sample = drawSample(all, { size: 40, seed })
        expect([...count(sample, ({ target, is_passed }) => `${target} ${is_passed}`).values()]).toEqual([
          10, 10, 10, 10,
        ])
        expect(Math.max(...count(sample, ({ answer }) => answer.test_id).values())).toBe(1)
      }),
    )
  })

  it('has one attempt of a test on a target until all are used', () => {
    fc.assert(
      fc.property(seed, seed => {
        const all = grid(5, ['a', 'b'], 4, () => true)
        const attempts = (size: number) =>
          count(drawSample(all, { size, seed }), ({ answer, target }) => `${answer.test_id} ${target}`)
        expect(Math.max(...attempts(10).values())).toBe(1)
        expect([...attempts(20).values()]).toEqual(Array.from({ length: 10 }, () => 2))
      }),
    )
  })

  it('does not show by its order what the judge says', () => {
    const all = grid(100, ['a'], 1, test => test % 2 === 0)
    const firsts = Array.from({ length: 200 }, (_, seed) => drawSample(all, { size: 50, seed })[0]?.is_passed)
    const passed = firsts.filter(Boolean).length
    expect(passed).toBeGreaterThan(70)
    expect(passed).toBeLessThan(130)
  })

  it('can be 1000 of 100,000 attempts', () => {
    const all = grid(hugeSize(10_000), ['a', 'b'], 5, test => test % 3 === 0)
    expect(drawSample(all, { size: 1000, seed: 1 })).toHaveLength(1000)
  })
})

describe('a candidate', () => {
  const judged = { judges_hash: 'j', test_id: 't' }

  it('is an answer that a model judged', () => {
    expect(candidateOf(resultWith({ ...judged, verdict: 'borderline' }))).toMatchObject({ is_passed: false })
    expect(candidateOf(resultWith({ ...judged, verdict: 'fail' }))).toMatchObject({ is_passed: false })
    expect(candidateOf(resultWith({ ...judged, verdict: 'pass' }))).toMatchObject({ is_passed: true })
  })

  it('is no attempt without an answer, without a verdict, or without a judge', () => {
    expect(candidateOf(resultWith({ ...judged, answer: null, verdict: 'error', score: null }))).toBeUndefined()
    expect(candidateOf(resultWith({ ...judged, verdict: 'error', score: null }))).toBeUndefined()
    expect(candidateOf(resultWith({ test_id: 't' }))).toBeUndefined()
  })
})
