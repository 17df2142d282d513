import { describe, expect, it } from 'vitest'
import { compareAgreement } from '../../../src/operations/align/agreement.ts'
import type { JudgedAnswer } from '../../../src/operations/align/judge-answers.ts'

/** Answers with one verdict in the run: on how many of them only the proposal, or only the current text, agrees. */
interface Stratum {
  readonly judge_passes: boolean
  readonly answers: number
  readonly better: number
  readonly worse: number
}

/** The held-out answers as both texts judge them; people pass all of them. */
function judged(strata: readonly Stratum[]): [JudgedAnswer[], JudgedAnswer[]] {
  const current: JudgedAnswer[] = []
  const candidate: JudgedAnswer[] = []
  for (const { judge_passes, answers, better, worse } of strata) {
    for (let index = 0; index < answers; index++) {
      const key = `${judge_passes} ${index}`
      const answer = { key, group: key, passes: true, judge_passes, part: 'held-out' as const }
      const as = (passes: boolean) => ({ answer, passes }) as JudgedAnswer
      current.push(as(index >= better))
      candidate.push(as(index < better || index >= better + worse))
    }
  }
  return [current, candidate]
}

const FAILED = { judge_passes: false, answers: 30, better: 15, worse: 0 }

describe('the agreement of two texts on the run', () => {
  it('is better if it is better on the labels and on the run', () => {
    const strata = [FAILED, { judge_passes: true, answers: 30, better: 0, worse: 0 }]
    const { isBetter, held_out } = compareAgreement(...judged(strata), { pass: 830, fail: 170 })
    expect(isBetter).toBe(true)
    expect(held_out.difference).toBeCloseTo(0.25, 12)
    expect(held_out.of_run?.difference).toBeCloseTo(0.17 * 0.5, 12)
  })

  it('is not better if it spoils what the run has most of, though it wins on the labels', () => {
    const strata = [FAILED, { judge_passes: true, answers: 30, better: 0, worse: 3 }]
    const { isBetter, held_out } = compareAgreement(...judged(strata), { pass: 900, fail: 100 })
    expect(held_out).toMatchObject({ better: 15, worse: 3 })
    expect(held_out.p).toBeLessThan(0.01)
    expect(held_out.of_run?.difference).toBeCloseTo(0.1 * 0.5 - 0.9 * 0.1, 12)
    expect(isBetter).toBe(false)
  })

  it('is not better if the labels lack a verdict of the run', () => {
    const { isBetter, held_out } = compareAgreement(...judged([FAILED]), { pass: 1, fail: 100 })
    expect([isBetter, held_out.of_run]).toEqual([false, undefined])
    expect(compareAgreement(...judged([FAILED]), { pass: 0, fail: 100 }).isBetter).toBe(true)
  })
})
