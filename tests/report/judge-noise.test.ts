import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { noiseText } from '../../src/report/noise-text.ts'
import { estimatesOf } from '../../src/report/outcome/estimates.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { text } from '../../src/report/text.ts'
import { checkResult, renderReport, runOf } from '../support/recorded-run.ts'

/** Attempts with several gradings: the score of each grading, by test and trial. */
const graded = (tests: readonly (readonly (readonly number[])[])[]): Partial<Result>[] =>
  tests.flatMap((trials, test) =>
    trials.map((judge_scores, trial) => ({
      attempt_id: `${test}-${trial}`,
      test_id: `t${test}`,
      trial: trial + 1,
      score: judge_scores[0] ?? null,
      ...(judge_scores.length > 1 ? { judge_scores: [...judge_scores] } : {}),
    })),
  )
const testsOf = (results: readonly Partial<Result>[]) => outcomeOf(runOf(results)).tests
const noiseOf = (...tests: Parameters<typeof graded>) => estimatesOf(testsOf(graded(...tests))).noise

describe('the noise of the mean score', () => {
  it('counts one judge call per answer, since the first grading is the score', () => {
    // Variance within answers 0.02, between their means 0.
    const noise = noiseOf([[[0.6, 0.8]], [[0.8, 0.6]], [[0.6, 0.8]], [[0.8, 0.6]]])
    expect(noise?.share_of_judge_calls).toBe(1)
    expect(noise?.half_width).toBeCloseTo(1.96 * Math.sqrt(0.02 / 4), 4)
    expect(noise?.half_width_on_these_answers).toBe(noise?.half_width)
  })

  it('does not name the noise on these tests with one trial each', () => {
    const tests = [[[0.9, 0.7]], [[0.2, 0.4]], [[0.5, 0.5]]]
    expect(noiseOf(tests)).toMatchObject({ half_width_on_these_tests: undefined, share_of_trials: undefined })
    expect(noiseText(testsOf(graded(tests)))).toMatch(
      /±0\.\d\d, on these answers alone ±0\.\d\d: \d+ % from tests and trials, \d+ % from judge calls; more tests help most$/,
    )
  })

  it('has three sources with trials and repeats', () => {
    const tests = [
      [
        [0.9, 0.5, 0.7],
        [0.8, 0.6, 0.4],
      ],
      [
        [0.2, 0.3, 0.7],
        [0.1, 0.9, 0.5],
      ],
      [
        [1, 0.9, 1],
        [0.6, 0.7, 0.9],
      ],
    ]
    const noise = noiseOf(tests)
    const { share_of_tests = 0, share_of_trials = 0, share_of_judge_calls = 0 } = noise ?? {}
    expect(share_of_tests + share_of_trials + share_of_judge_calls).toBeCloseTo(1)
    expect(noise?.most_useful).toBe('test')
    expect(noiseText(testsOf(graded(tests)))).toMatch(
      /from judge calls; more tests help most, on these tests more votes$/,
    )
  })

  it('is silent about judges if few answers were graded again', () => {
    const tests = [
      [[0.9, 0.5], [0.8]],
      [[0.2], [0.4]],
      [[0.5], [0.6]],
      [[0.7], [0.6]],
    ]
    expect(noiseOf(tests)?.share_of_judge_calls).toBeUndefined()
    expect(noiseText(testsOf(graded(tests)))).toContain('from trials; more')
  })

  it('leaves out attempts that reruns added, and survives empty lists', () => {
    const results = graded([[[0.9, 0.5]], [[0.8, 0.7]]])
    const added = { ...results[0], attempt_id: 'again', trial: 2, added: true as const, judge_scores: [0, 1] }
    const noise = estimatesOf(testsOf(results)).noise
    expect(estimatesOf(testsOf([...results, added])).noise).toEqual(noise)
    expect(estimatesOf(testsOf(results.map(each => ({ ...each, judge_scores: [] })))).noise).toBeUndefined()
  })
})

describe('judges that disagree', () => {
  const votes = (b: number) => ['a', 'b', 'c'].map(judge => ({ judge, score: judge === 'b' ? b : 1, reasoning: '' }))
  const on = (target: string, b: number, index: number): Partial<Result> => ({
    attempt_id: `${target}${index}`,
    test_id: `t${index}`,
    target,
    evaluator_results: [checkResult({ votes: votes(b) })],
  })

  it('have a line for each target, also where the figures are equal', () => {
    const report = renderReport(text, runOf([on('x', 1, 1), on('x', 0, 2), on('y', 0, 1), on('y', 1, 2)]))
    expect(report).toContain('x: judges disagree on 1 of 2 answers: a passes 100 %, b 50 %, c 100 %\n')
    expect(report).toContain('y: judges disagree on 1 of 2 answers: a passes 100 %, b 50 %, c 100 %\n')
  })

  it('cannot steer a terminal by their names', () => {
    const [result] = [on('x', 1, 1)]
    const check = checkResult({ votes: votes(0).map(vote => ({ ...vote, judge: `${vote.judge}\u001b[2J\nfake` })) })
    const report = renderReport(text, runOf([{ ...result, evaluator_results: [check] }]))
    expect(report).not.toContain('\u001b')
    expect(report).not.toContain('\nfake')
  })
})
