import { describe, expect, it } from 'vitest'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import { triggersIn } from '../../src/model/evaluator-result.ts'
import { judgeChecks, missedRequired } from '../../src/model/verdict.ts'
import { compositeOf, scored } from '../evaluators/composites.ts'
import { gradeChecks, gradeTest, gradingContext, loadTest } from '../support/checks.ts'

const ANSWER = { text: 'yes', output_messages: [] }

/** Fields of a check that does not apply to the target of these tests, which is named `default`. */
const ELSEWHERE = 'applies_to: [other]'

describe('a check that does not apply to the target', () => {
  it('has no score, no findings and no error', async () => {
    const [check] = await gradeChecks([`{type: contains, value: "no", required: true, ${ELSEWHERE}}`], ANSWER)
    expect(check).toMatchObject({ not_applicable: true, score: null, passed: false, hits: [], misses: [] })
    expect(check?.error).toBeUndefined()
  })

  it('is graded where the target is among those that it names', async () => {
    const [check] = await gradeChecks(['{type: contains, value: yes, applies_to: [other, default]}'], ANSWER)
    expect(check).toMatchObject({ score: 1, passed: true })
    expect(check?.not_applicable).toBeUndefined()
  })

  it.each([
    ['required', 'required: 1'],
    ['heavy', 'weight: 100'],
    ['negated', 'negate: true, required: 1'],
  ])('does not change score and verdict if it is %s', async (_, fields) => {
    const passed = await gradeChecks([scored(1), `{type: contains, value: "no", ${fields}, ${ELSEWHERE}}`], ANSWER)
    expect(judgeChecks(passed)).toEqual({ score: 1, verdict: 'pass' })
    expect(missedRequired(passed)).toEqual([])
    const failed = await gradeChecks([scored(0), `{type: contains, value: yes, ${fields}, ${ELSEWHERE}}`], ANSWER)
    expect(judgeChecks(failed)).toEqual({ score: 0, verdict: 'fail' })
  })

  it('is never judged, even if it could not be', async () => {
    const checks = ['{type: llm_judge, applies_to: [other]}', '{type: cost, budget: 1, applies_to: [other]}', scored(1)]
    let asked = 0
    const judge = async () => {
      asked++
      return { text: '' }
    }
    const results = await gradeTest(await loadTest(checks), ANSWER, gradingContext(), judge)
    expect([asked, judgeChecks(results)]).toEqual([0, { score: 1, verdict: 'pass' }])
  })

  it('does not count as a use of a skill', async () => {
    const trigger = `{type: trigger_judge, skill: report, ${ELSEWHERE}}`
    const results = await gradeChecks([trigger, compositeOf('', [trigger, scored(1)]), scored(1)], ANSWER)
    expect(triggersIn(results)).toBeUndefined()
  })

  it('leaves an answer that no other check grades without a score', async () => {
    const results = await gradeChecks([`{type: contains, value: yes, ${ELSEWHERE}}`], ANSWER)
    expect(judgeChecks(results)).toEqual({ score: null, verdict: 'error' })
  })
})

const AGGREGATORS = [
  ...['weighted_average', 'minimum', 'maximum', 'all_or_nothing', '{type: threshold, threshold: 0.5}'],
  ...['{type: safety_gate, required: [a]}', '{type: safety_gate, required: [a, n]}'],
]

/** What a composite of checks named `a` and `b` finds with this one inside, and without it. */
async function bothScores(aggregator: string, child: string, more = '') {
  const without = aggregator.replace(', n]', ']')
  const others = [scored(1, 'name: a, weight: 2'), scored(0.5, 'name: b')]
  const [inside] = await gradeChecks([compositeOf(aggregator, [child, ...others], more)], ANSWER)
  const [alone] = await gradeChecks([compositeOf(without, others, more)], ANSWER)
  return { inside, alone }
}

describe('inside a composite', () => {
  const cases = AGGREGATORS.flatMap(aggregator => [
    { aggregator, more: '' },
    { aggregator, more: 'negate: true' },
  ])

  it.each(cases)('it has no weight: $aggregator $more', async ({ aggregator, more }) => {
    for (const child of [
      scored(0, `name: n, ${ELSEWHERE}`),
      scored(1, `name: n, weight: 50, required: 1, ${ELSEWHERE}`),
    ]) {
      const { inside, alone } = await bothScores(aggregator, child, more)
      expect(inside?.score).toBe(alone?.score)
      expect([inside?.hits, inside?.misses, inside?.reasoning]).toEqual([alone?.hits, alone?.misses, alone?.reasoning])
    }
  })

  it('it does not close a gate', async () => {
    const gate = compositeOf('{type: safety_gate, required: [n]}', [scored(0, `name: n, ${ELSEWHERE}`), scored(1)])
    expect(await gradeChecks([gate], ANSWER)).toMatchObject([{ score: 1, passed: true }])
  })

  it('it stays not applicable if another check closes the gate', async () => {
    const nested = compositeOf('', [scored(1, ELSEWHERE), scored(1, 'name: here')])
    const gate = compositeOf('{type: safety_gate, required: [shut]}', [scored(0, 'name: shut'), nested])
    const [result] = await gradeChecks([gate], ANSWER)
    const inside = result?.evaluator_results?.[1]
    expect(inside).toMatchObject({ not_run: true })
    expect(inside?.evaluator_results).toMatchObject([{ not_applicable: true }, { not_run: true }])
  })

  it('makes the composite not applicable if all its checks are', async () => {
    const only = compositeOf(
      '',
      [scored(0, ELSEWHERE), compositeOf('minimum', [scored(0, ELSEWHERE)])],
      'required: true',
    )
    const results = await gradeChecks([only, scored(1)], ANSWER)
    expect(markers(results[0])).toEqual([true, true, true, true])
    expect(judgeChecks(results)).toEqual({ score: 1, verdict: 'pass' })
  })

  it('is not applicable if the composite is not, whatever it names itself', async () => {
    const [result] = await gradeChecks([compositeOf('', [scored(0, 'applies_to: [default]')], ELSEWHERE)], ANSWER)
    expect(markers(result)).toEqual([true, true])
  })
})

/** `not_applicable` of a check and of those inside it. */
function markers(check: EvaluatorResult | undefined): (true | undefined)[] {
  return [check?.not_applicable, ...(check?.evaluator_results ?? []).flatMap(markers)]
}
