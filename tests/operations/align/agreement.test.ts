import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { compareAgreement } from '../../../src/operations/align/agreement.ts'
import type { JudgedAnswer } from '../../../src/operations/align/judge-answers.ts'

/** An answer that people pass, and whether the judge agrees; undefined for an error. */
function judged(group: string, agrees: boolean | undefined): JudgedAnswer {
  const answer = { key: group, group, passes: true, judge_passes: false, part: 'held-out' as const }
  return { answer, labelled: {} as JudgedAnswer['labelled'], passes: agrees, judgement: undefined }
}

/** Compares by whether each of two texts agrees, test by test. */
function compare(tests: readonly (readonly (readonly [boolean | undefined, boolean | undefined])[])[]) {
  const side = (index: 0 | 1) => tests.flatMap((pairs, test) => pairs.map(pair => judged(`test ${test}`, pair[index])))
  return compareAgreement(side(0), side(1), { pass: 0, fail: 100 })
}

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)
const BETTER = [false, true] as const
const EQUAL = [true, true] as const

describe('the agreement of two texts', () => {
  it.each([1, 2, 5])('is not shown to be better by %i tests, however many answers they have', count => {
    for (const answers of [2, 10, 200]) {
      const { isBetter, held_out } = compare([...times(count, times(answers, BETTER)), ...times(4, [EQUAL])])
      expect({ answers, isBetter, better: held_out.better }).toEqual({
        answers,
        isBetter: false,
        better: count * answers,
      })
    }
  })

  it('is not shown to be better by many answers of one test, and nothing else', () => {
    expect(compare([times(200, BETTER)]).isBetter).toBe(false)
    expect(compare(times(4, times(50, BETTER))).isBetter).toBe(false)
  })

  it('is shown to be better by enough tests', () => {
    expect(compare([...times(5, [BETTER]), ...times(5, [EQUAL])]).isBetter).toBe(true)
    expect(compare([...times(12, times(3, BETTER)), ...times(4, times(3, EQUAL))]).isBetter).toBe(true)
  })

  it('is rarely shown to be better if the texts are equally good, and answers of a test change together', () => {
    const random = seededRandom(7)
    const worlds = 2000
    let offers = 0
    for (let world = 0; world < worlds; world++) {
      const tests = times(16, 0).map(() => {
        const draw = random()
        const pair = draw < 0.25 ? BETTER : draw < 0.5 ? ([true, false] as const) : EQUAL
        return times(1 + Math.floor(random() * 6), pair)
      })
      offers += Number(compare(tests).isBetter)
    }
    // One side of a two-sided test at 5 %.
    expect(offers / worlds).toBeLessThan(0.035)
  })

  it('does not depend on answers without a verdict', () => {
    const { isBetter, held_out } = compare([...times(6, [BETTER]), ...times(6, [[true, undefined] as const])])
    expect(isBetter).toBe(false)
    expect(held_out).toMatchObject({ compared: 6, errors_decide: true })
  })
})
