import { describe, expect, it } from 'vitest'
import type { EvaluatorResult } from '../../../src/model/evaluator-result.ts'
import { markdown } from '../../../src/report/markdown.ts'
import { text } from '../../../src/report/text.ts'
import { checkResult, renderReport } from '../../support/recorded-run.ts'
import { armOf, armsRun, controlOf, passing } from './arms.ts'

const inapplicable = (name: string): EvaluatorResult =>
  checkResult({ name, score: null, passed: false, not_applicable: true })

/** A target and its control arm, with these checks beside the one that both have. */
function armsWith(target: readonly EvaluatorResult[], control: readonly EvaluatorResult[]) {
  const both = checkResult({ name: 'both' })
  return armsRun([
    armOf('with', passing(3, 4), { evaluator_results: [both, ...target] }),
    controlOf('without', passing(3, 4), { evaluator_results: [both, ...control] }),
  ])
}

describe('a comparison of sides that are graded by different checks', () => {
  it('names the checks that do not apply to one side', () => {
    const run = armsWith(
      [checkResult({ name: 'skill' }), inapplicable('plain')],
      [inapplicable('skill'), checkResult({ name: 'plain' })],
    )
    const note =
      '4 tests compared by the checks that apply to both: skill does not apply to without; plain does not apply to with'
    expect(renderReport(text, run)).toContain(`the same\n${note}\n`)
    expect(renderReport(markdown, run)).toContain(`the same  \n${note}\n`)
  })

  it('names a few of many checks, in one line', () => {
    const names = ['a\n', 'b', 'c', 'd', 'e', 'f', 'g']
    const run = armsWith(
      names.map(name => checkResult({ name })),
      names.map(inapplicable),
    )
    expect(renderReport(text, run)).toContain(
      '\n4 tests compared by the checks that apply to both: a↵, b, c, d, e, 2 more do not apply to without\n',
    )
  })

  it('says nothing if a check applies to neither side, or to both', () => {
    for (const check of [inapplicable('skill'), checkResult({ name: 'skill' })])
      expect(renderReport(text, armsWith([check], [check]))).not.toContain('apply to both')
  })
})
