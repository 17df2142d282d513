import { describe, expect, it } from 'vitest'
import type { RunInfo } from '../../../src/model/run-info.ts'
import { comparedRunOf, judgesDiffer } from '../../../src/report/compare/compared-run.ts'
import { runOf } from '../../support/recorded-run.ts'

const other = (first: Partial<RunInfo> | undefined, second: Partial<RunInfo> | undefined) =>
  judgesDiffer(comparedRunOf('a', runOf([], first)).judges, comparedRunOf('b', runOf([], second)).judges)

const small = { judges: [{ name: 'judge', model: 'small' }], judge_hashes: { judge: 'a' } }

describe('the judges of two runs differ', () => {
  it('if the hashes differ, even if the definitions are equal', () => {
    expect(other(small, { ...small, judge_hashes: { judge: 'b' } })).toBe(true)
    expect(other(small, { ...small, judges: [{ name: 'judge', model: 'small', retries: 3 }] })).toBe(false)
  })

  it('if the definitions differ and a run has no hashes', () => {
    const old = { judges: small.judges }
    expect(other(old, small)).toBe(false)
    expect(other(old, { judges: [{ name: 'judge', model: 'large' }] })).toBe(true)
    expect(other({}, small)).toBe(true)
  })

  it('never if a results file does not record them', () => {
    expect([other(undefined, small), other(small, undefined), other({}, {})]).toEqual([false, false, false])
  })
})
