import { expect, it } from 'vitest'
import { evaluationOf } from '../../src/log/logged-run.ts'
import { checkResult, resultWith } from '../support/recorded-run.ts'

const SKILL = checkResult({ name: 'skill', score: null, passed: false, required: 1, not_applicable: true })

it('logs neither a pass nor a miss of a check that does not apply to the target', () => {
  expect(evaluationOf(resultWith({ evaluator_results: [checkResult(), SKILL] }))).toBe('pass')
  const missed = checkResult({ score: 0, misses: ['lacks x'] })
  const failed = resultWith({ evaluator_results: [SKILL, missed], score: 0, verdict: 'fail', misses: ['lacks x'] })
  expect(evaluationOf(failed)).toBe('fail: lacks x')
})
