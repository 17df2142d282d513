import { describe, expect, it } from 'vitest'
import { armComparisons } from '../../../src/report/compare/arm-comparisons.ts'
import { type ComparisonGateOptions, evaluateArmGate } from '../../../src/report/compare/comparison-gates.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { armOf, armsRun, controlOf, passing } from './arms.ts'

const comparisonsOf = (...results: Parameters<typeof armsRun>[0][number][]) =>
  armComparisons(outcomeOf(armsRun(results)))

const REGRESSION = { fail_on_regression: true }
const BETTER = { require_better: true }

describe('the comparisons of a run with control arms', () => {
  it('compare each target with the control arm', () => {
    const found = comparisonsOf(
      armOf('new', passing(20, 20)),
      armOf('newer', passing(2, 20)),
      controlOf('old', passing(10, 20)),
    )
    expect(found.map(({ before, after, verdict }) => [before.label, after.label, verdict])).toEqual([
      ['old', 'new', 'better'],
      ['old', 'newer', 'worse'],
    ])
  })

  it('adjust p for the number of targets', () => {
    const one = comparisonsOf(armOf('new', passing(15, 20)), controlOf('old', passing(10, 20)))
    const three = comparisonsOf(
      ...['new', 'newer', 'newest'].map(target => armOf(target, passing(15, 20))),
      controlOf('old', passing(10, 20)),
    )
    expect(one[0]?.verdict).toBe('better')
    expect(three.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    expect(three[0]?.adjusted_p).toBeCloseTo(3 * (one[0]?.adjusted_p ?? 0), 12)
  })

  it('are none without a control arm', () => {
    expect(comparisonsOf(armOf('new', passing(1, 2)), armOf('old', passing(1, 2)))).toEqual([])
  })

  it('keep suites of one name apart by their files', () => {
    const [first, ...others] = comparisonsOf(
      armOf('new', passing(2, 2), { file: 'a/EVAL.yaml' }),
      armOf('new', passing(0, 2), { file: 'b/EVAL.yaml' }),
      controlOf('old', passing(2, 2), { file: 'a/EVAL.yaml' }),
      controlOf('old', passing(0, 2), { file: 'b/EVAL.yaml' }),
    )
    expect(others).toEqual([])
    expect(first?.pairs.map(({ before, after }) => [before, after])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 0],
    ])
  })

  it('leave out suites without a control arm', () => {
    const [comparison] = comparisonsOf(
      armOf('new', passing(2, 2)),
      controlOf('old', passing(2, 2)),
      armOf('new', passing(0, 9), { suite: 'other', file: 'other.yaml' }),
    )
    expect(comparison?.pairs).toHaveLength(2)
    expect(comparison?.new).toEqual([])
  })

  it('follow the control arm of each suite, even if it is an ordinary target of another', () => {
    const found = comparisonsOf(
      armOf('x', passing(1, 2), { file: 'a.yaml' }),
      controlOf('y', passing(2, 2), { file: 'a.yaml' }),
      armOf('y', passing(1, 3), { file: 'b.yaml' }),
      controlOf('x', passing(3, 3), { file: 'b.yaml' }),
    )
    expect(found.map(({ before, after, pairs }) => [before.label, after.label, pairs.length])).toEqual([
      ['y', 'x', 2],
      ['x', 'y', 3],
    ])
  })

  it('list tests that the control arm was not asked', () => {
    const [comparison] = comparisonsOf(armOf('new', passing(3, 3)), controlOf('old', { t0: [1] }))
    expect(comparison?.pairs).toHaveLength(1)
    expect(comparison?.new.map(({ test_id }) => test_id)).toEqual(['t1', 't2'])
  })

  it('give no verdict if errors on one arm alone decide', () => {
    const errors = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`t${index}`, [null]]))
    const [comparison] = comparisonsOf(armOf('new', errors), controlOf('old', passing(12, 12)))
    expect(comparison).toMatchObject({ verdict: 'inconclusive', verdict_with_errors: 'worse', errors_decide: true })
    const [swapped] = comparisonsOf(armOf('new', passing(12, 12)), controlOf('old', errors))
    expect(swapped).toMatchObject({ verdict: 'inconclusive', verdict_with_errors: 'better' })
  })

  it('do not mistake fewer trials of the control arm for a difference', () => {
    const steady = (trials: readonly number[]) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, trials]))
    const [comparison] = comparisonsOf(armOf('new', steady([1, 1, 1, 1, 0])), controlOf('old', steady([1])))
    expect(comparison?.verdict).toBe('inconclusive')
  })
})

describe('the gates on control arms', () => {
  const gateOf = (
    [after, before]: readonly [Parameters<typeof armOf>[1], Parameters<typeof armOf>[1]],
    options: ComparisonGateOptions,
    not_run = 0,
  ) => {
    const { tests } = outcomeOf(armsRun([armOf('new', after), controlOf('old', before)]))
    return evaluateArmGate(armComparisons({ tests }, options), { not_run }, options)
  }
  const worse = [passing(10, 20), passing(20, 20)] as const
  const better = [passing(20, 20), passing(10, 20)] as const
  const same = [passing(10, 20), passing(10, 20)] as const

  it('are undefined if none is given', () => {
    expect(gateOf(worse, {})).toBeUndefined()
    expect(gateOf(worse, { margin: 0.1 })).toBeUndefined()
  })

  it('fail on a regression only if a target is worse', () => {
    expect(gateOf(worse, REGRESSION)).toEqual({ result: 'failed', reasons: ['worse'] })
    expect(gateOf(better, REGRESSION)?.result).toBe('passed')
    expect(gateOf(same, REGRESSION)?.result).toBe('passed')
    expect(gateOf(worse, { ...REGRESSION, margin: 0.9 })?.result).toBe('passed')
  })

  it('require better: worse and equivalent fail, inconclusive is neither', () => {
    expect(gateOf(better, BETTER)?.result).toBe('passed')
    expect(gateOf(worse, BETTER)).toEqual({ result: 'failed', reasons: ['worse, but better is required'] })
    expect(gateOf(same, BETTER)).toEqual({ result: 'inconclusive', reasons: ['inconclusive'] })
    expect(gateOf(same, { ...BETTER, margin: 0.5 })).toEqual({
      result: 'failed',
      reasons: ['equivalent, but better is required'],
    })
  })

  it('fail if only the target has errors', () => {
    const errors = { ...passing(20, 20), t0: [null] }
    expect(gateOf([errors, passing(20, 20)], REGRESSION)).toEqual({
      result: 'failed',
      reasons: ['errors rose (0 → 1)'],
    })
    expect(gateOf([passing(20, 20), errors], REGRESSION)?.result).toBe('passed')
  })

  it('cannot pass if attempts are missing', () => {
    expect(gateOf(better, BETTER, 3)).toEqual({ result: 'incomplete', reasons: ['3 attempts not made'] })
    expect(gateOf(worse, BETTER, 3)?.result).toBe('failed')
  })

  it('cannot pass without a result of the control arm', () => {
    const { tests } = outcomeOf(armsRun([armOf('new', passing(3, 3))]))
    expect(evaluateArmGate(armComparisons({ tests }), { not_run: 0 }, BETTER)).toEqual({
      result: 'nothing to compare',
      reasons: ['no test has a result of a control arm and of another target'],
    })
  })
})
