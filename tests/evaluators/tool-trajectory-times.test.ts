import { describe, expect, it } from 'vitest'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeChecks } from '../support/checks.ts'
import { answerWith, bothWays, expectScore, trajectoryCheck } from './trajectories.ts'

type Scored = [check: string, calls: string, score: number]

const timed: Scored[] = [
  ['(a:10)', 'a:10', 1],
  ['(a:10)', 'a:10.5', 1 / 2],
  ['(a:0)', 'a:0', 1],
  ['(a:10 b)', 'a:11 b', 2 / 3],
  ['(a:10 b:10)', 'a:10 b:11', 3 / 4],
  ['(a:10)', '', 0],
  ['(a:10 b)', 'b', 1 / 3],
  // The call within the duration is matched.
  ['(a:10)', 'a:50 a:5', 1],
  ['(a:10 a:100)', 'a:50 a:5', 1],
  ['(a:100 a:10)', 'a:5 a:50', 1],
  ['(a:10 a)', 'a a:5', 1],
  ['(a:10)', 'a a:5', 1],
  ['superset(a:10)', 'a:11', 1 / 2],
  ['superset(a:10)', 'a:50 a:10', 1],
  ['in_order(a:10 b)', 'a:10 b', 1],
  ['in_order(a:10 b)', 'a:11 b', 2 / 3],
  ['in_order(a:10 b)', 'b a:1', 0],
  ['in_order(a:10 b)', 'a:50 a:5 b', 1],
  // All calls are in order, though late: the order is not wrong.
  ['in_order(a:10 b)', 'a:50 b a:5', 2 / 3],
  ['in_order(a b:10)', 'b:5 a b:50', 2 / 3],
  ['exact(a:10 b)', 'a:10 b', 1],
  ['exact(a:10 b)', 'a:11 b', 0],
  ['exact(a:10 b)', 'a:10', 0],
  ['subset(a:10 b)', 'a:10', 1],
  ['subset(a:10 b)', 'a:11', 1 / 2],
  ['subset(a:10 b)', 'b', 1],
  ['subset(a:10 b)', 'a:10 x', 2 / 3],
  ['subset(a:10)', '', 1],
]

describe('max_duration_ms', () => {
  it.each(timed)('%s on [%s]: %d', expectScore)
})

describe('an unreported duration', () => {
  it.each([
    ['(a:10)', 'a'],
    ['(a:10 b:10)', 'a:99 b'],
    ['in_order(a:10 b)', 'a b'],
    ['exact(a:10)', 'a'],
    ['superset(a:10)', 'a'],
    ['subset(a:10)', 'a'],
    ['(a:10); forbidden: [b]', 'a b'],
    // In any order: the call with the unknown duration may be within the limit.
    ['(a:10)', 'a a:50'],
    ['(a:10)', 'a:50 a'],
  ])('is an error: %s on [%s]', async (check, calls) => {
    const results = await gradeChecks(bothWays(check), answerWith(calls))
    for (const result of results) {
      expect(result).toMatchObject({ score: null, passed: false, hits: [], misses: [] })
      expect(result.error?.code).toBe('not-reported')
      expect(result.error?.message).toMatch(/^the target reported no duration of [ab]$/)
      expect(judgeChecks([result])).toEqual({ score: null, verdict: 'error' })
    }
  })

  it.each([
    ['(a b:10)', 'a b:10', 1],
    ['(a:10)', 'b', 0],
    ['in_order(a:10 b)', 'a:10 b', 1],
    ['subset(a:10)', 'x', 0],
  ])('is ignored without a limit: %s on [%s]', async (check, calls, score) => {
    expect(await gradeChecks([trajectoryCheck(check)], answerWith(calls))).toMatchObject([{ score }])
  })
})
