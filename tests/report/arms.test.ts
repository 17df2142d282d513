import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/model/decision.ts'
import type { Result } from '../../src/model/result.ts'
import { compareRuns } from '../../src/report/compare/compare-runs.ts'
import { comparedRunOf } from '../../src/report/compare/compared-run.ts'
import { html } from '../../src/report/html.ts'
import { json } from '../../src/report/json.ts'
import { markdown } from '../../src/report/markdown.ts'
import { text } from '../../src/report/text.ts'
import { renderReport } from '../support/recorded-run.ts'
import { armOf, armsRun, controlOf, passing } from './compare/arms.ts'

const spent = (cost_usd: number, duration_ms: number): Partial<Result> => ({ cost_usd, duration_ms })
const RUN = armsRun([
  armOf('with-skill', passing(20, 20), spent(0.02, 3000)),
  controlOf('without-skill', passing(10, 20), spent(0.01, 2000)),
])

describe('the section on control arms', () => {
  it('ends the text with a table, the tests that changed, and the verdict', () => {
    const end = renderReport(text, RUN).split('\n\n').at(-1)
    expect(end).toContain(`Does it help? with-skill against the control arm without-skill
           without-skill     with-skill        difference
pass rate  50 % [30–70]      100 % [84–100]    +50 points [+21 to +70], p = 0.0010
score      0.50 [0.29–0.71]  1.00 [0.82–1.00]  +0.500 [+0.211 to +0.698], p = 0.0010
cost       $0.0100           $0.0200           +$0.0100, +100 %
time       2.0 s             3.0 s             +1.0 s, +50 %
20 tests compared: 10 improved, 0 worse, 10 the same
  improved suite t10 0.00 → 1.00
`)
    expect(end).toMatch(/\nbetter\n$/)
  })

  it('says what the tests could have shown if the verdict is open', () => {
    const open = armsRun([armOf('new', passing(12, 20)), controlOf('old', passing(10, 20))])
    expect(renderReport(text, open)).toMatch(
      /\ninconclusive: 20 tests can detect a difference of 0\.\d\d \(80 % power\); .*\n$/,
    )
  })

  it('is absent without a control arm', () => {
    const plain = armsRun([armOf('new', passing(1, 2)), armOf('old', passing(2, 2))])
    for (const reporter of [text, markdown]) expect(renderReport(reporter, plain)).not.toContain('Does it help?')
    expect(JSON.parse(renderReport(json, plain)).summary).not.toHaveProperty('comparisons')
  })

  it('uses the margin of the run', () => {
    const same = [armOf('new', passing(10, 20)), controlOf('old', passing(10, 20))]
    expect(renderReport(text, armsRun(same))).toContain('\ninconclusive: no test differs;')
    const info = { run_id: 'r', options: { margin: 0.5 }, suites: [], attempts: [], total: 40 }
    expect(renderReport(text, armsRun(same, info))).toContain('\nequivalent: the difference is within ±0.5;')
  })

  it('gives the decision of a run until decided, without the bounds of a fixed sample', () => {
    const decision: Decision = {
      target: 'with-skill',
      control: 'without-skill',
      decision: 'not-shown',
      after: 20,
      of: 100,
      improved: 10,
      worsened: 0,
      estimate: 0.5,
      low: -0.1,
      high: 0.9,
    }
    const info = { run_id: 'r', options: {}, suites: [], attempts: [], total: 40, decisions: [decision] }
    const run = armsRun([armOf('with-skill', passing(20, 20)), controlOf('without-skill', passing(10, 20))], info)
    const end = renderReport(text, run).split('\n\n').at(-1)
    expect(end).toMatch(/\npass rate .* {2}\+50 points\nscore .* {2}\+0\.500\n/)
    expect(end).toMatch(
      /\ninconclusive: with-skill against without-skill \+0\.500 \[−0\.100 to \+0\.900\], not decided after 20 of at most 100 pairs/,
    )
    expect(JSON.parse(renderReport(json, run)).summary.comparisons[0]).toMatchObject({
      verdict: 'inconclusive',
      decision,
    })
    const { comparisons } = compareRuns([comparedRunOf('r', run)], {
      targets: [],
      margin: 0,
      gates: { fail_on_regression: false, fail_on_new_failures: false, require_conclusive: false },
    })
    expect(comparisons).toMatchObject([{ verdict: 'inconclusive', decision }])
  })

  it('is a table in markdown, with names that cannot break it', () => {
    const hostile = armsRun([armOf('a|b\n<b>', passing(20, 20)), controlOf('@everyone', passing(10, 20))])
    const written = renderReport(markdown, hostile)
    expect(written).toContain(
      '### Does it help? a&#124;b↵&#60;b&#62; against the control arm &#64;&#8203;everyone\n\n**better**\n\n',
    )
    expect(written).toContain(
      '|  | &#64;&#8203;everyone | a&#124;b↵&#60;b&#62; | difference |\n| --- | --: | --: | --- |\n',
    )
    expect(written).toContain('<details><summary>improved: 10 tests</summary>')
  })

  it('is in JSON with the pairs, without single attempts', () => {
    const [comparison] = JSON.parse(renderReport(json, RUN)).summary.comparisons
    expect(comparison).toMatchObject({
      verdict: 'better',
      before: { label: 'without-skill', target: 'without-skill' },
      after: { label: 'with-skill' },
      cost: { tests: 20, before: 0.01, after: 0.02 },
      duration: { difference: 1000 },
    })
    expect(comparison.pairs[0]).toEqual({ suite: 'suite', test_id: 't0', before: 1, after: 1, difference: 0 })
  })

  it('is in the data of the page, safely embedded', () => {
    const page = renderReport(html, armsRun([armOf('</script>', passing(20, 20)), controlOf('old', passing(10, 20))]))
    expect(page).toContain('"title":"Does it help? \\u003c/script\\u003e against the control arm old"')
  })
})
