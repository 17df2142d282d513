import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { csv } from '../../src/report/csv.ts'
import { filteredRun } from '../../src/report/filtered-run.ts'
import { github } from '../../src/report/github.ts'
import { html } from '../../src/report/html.ts'
import { json } from '../../src/report/json.ts'
import { junit } from '../../src/report/junit.ts'
import { markdown } from '../../src/report/markdown.ts'
import { skillCreator } from '../../src/report/skill-creator.ts'
import { text } from '../../src/report/text.ts'
import { checkResult, renderReport, runOf } from '../support/recorded-run.ts'

const HOSTILE = 'bad\u001b[31m\n</script>| "x" & ]]>'
const failed: Partial<Result> = {
  score: 0,
  verdict: 'fail',
  misses: ['is late'],
  evaluator_results: [checkResult({ score: 0 })],
}
const error: Partial<Result> = {
  score: null,
  verdict: 'error',
  answer: null,
  error: { code: 'timeout', stage: 'answer', message: 'took too long' },
}
const quarantine = { reason: HOSTILE, until: '2026-12-31' }

const RESULTS = [
  { test_id: 'plain', line: 3 },
  { test_id: 'known', line: 4, expected_failure: 'wrong currency', ...failed },
  { test_id: 'mended', line: 5, expected_failure: HOSTILE },
  { test_id: 'shaky', line: 6, quarantine, ...failed },
  { test_id: 'broken', line: 7, quarantine: { reason: 'moved', until: '2026-11-30' }, ...error },
  { test_id: 'calm', line: 8, quarantine },
]
const SKIPPED = [
  { suite: 'suite', file: 'EVAL.yaml', line: 9, test_id: 'off', tags: ['slow'], reason: HOSTILE },
  { suite: 'suite', file: 'EVAL.yaml', line: 10, test_id: 'out', tags: [], reason: 'no sandbox' },
]

const marked = () => runOf(RESULTS, { run_id: 'run', skipped: SKIPPED, attempts: [], options: {}, targets: [] })

const QUARANTINED = '3 quarantined (1 failed, 1 with errors, 1 passed), the first until 2026-11-30'

describe('marks', () => {
  it('are counted and listed in text', () => {
    const report = renderReport(text, marked())
    expect(report).toContain('suite  default      3     2           0     1      0')
    expect(report).toContain(`\n3 tests: 1 passed, 1 unexpected pass, 1 expected failure; 2 skipped; ${QUARANTINED}\n`)
    expect(report).toContain('unexpected pass mended on default EVAL.yaml:5: passes now, so remove `expected_failure`')
    expect(report).toContain('quarantined broken on default EVAL.yaml:7: with errors, until 2026-11-30: moved\n')
    expect(report).toContain('skipped out EVAL.yaml:10: no sandbox\n')
    expect(report).not.toContain('\u001b')
  })

  it('are counted and listed in Markdown', () => {
    const report = renderReport(markdown, marked())
    expect(report).toContain('### 2 of 3 tests passed: 67 %')
    expect(report).toContain('**2 skipped**')
    expect(report).toContain(
      '**3 quarantined &#40;1 failed, 1 with errors, 1 passed&#41;, the first until 2026-11-30**',
    )
    expect(report).toContain('- **unexpected pass** mended on default (EVAL.yaml:5): ')
    expect(report).toContain('- **expected failure** known on default (EVAL.yaml:4): wrong currency\n')
    expect(report).not.toContain('- **fail**')
    expect(report).not.toContain('- **error**')
    expect(report).not.toContain('</script>')
  })

  it('are skipped cases and failures in JUnit', () => {
    const report = renderReport(junit, marked())
    expect(report).toContain('<testsuites name="assay" failures="1" errors="0" tests="8" skipped="5"')
    expect(report).toContain('<skipped message="expected failure: wrong currency" type="expected failure">')
    expect(report).toContain('<failure message="unexpected pass: remove `expected_failure` (bad')
    expect(report).toContain('<skipped message="quarantined until 2026-11-30: moved" type="timeout">')
    expect(report).toMatch(/<testcase name="calm"[^>]*><\/testcase>/)
    expect(report).toContain(
      '<testcase name="out" classname="suite" file="EVAL.yaml" line="10"><skipped message="no sandbox"/></testcase>',
    )
    expect(report).not.toContain('</script>')
  })

  it('are annotations on GitHub only where they fail the gate', () => {
    const lines = renderReport(github, marked()).split('\n')
    expect(lines.filter(line => /^::(error|warning)/.test(line))).toEqual([
      expect.stringMatching(/^::error file=EVAL\.yaml,line=5,title=unexpected pass%3A mended on default::remove /),
    ])
    expect(lines).toContain('::notice::2 skipped')
    expect(lines).toContain(`::notice::${QUARANTINED}`)
  })

  it('are data in JSON', () => {
    const { run, summary } = JSON.parse(renderReport(json, marked()))
    expect(run.skipped).toEqual(SKIPPED)
    expect(summary.marks).toEqual({ skipped: 2, expected_failures: 1, unexpected_passes: 1, quarantined: 3 })
    expect(summary.counts).toEqual({ pass: 2, borderline: 0, fail: 1, error: 0 })
    expect(summary.pass_rate.tests).toBe(3)
    expect(summary.quarantined.map(({ test_id, mark }: never) => [test_id, (mark as { kind: string }).kind])).toEqual([
      ['shaky', 'quarantine'],
      ['broken', 'quarantine'],
      ['calm', 'quarantine'],
    ])
  })

  it('are a column in CSV', () => {
    const rows = renderReport(csv, marked()).split('\r\n')
    expect(rows[2]).toContain(',expected failure: wrong currency,')
    expect(rows[5]).toContain(',quarantined until 2026-11-30: moved,')
  })

  it('are rows and notes in HTML', () => {
    const report = renderReport(html, marked())
    const [, block = ''] = /id="run">(.*)<\/script>/.exec(report) ?? []
    const data = JSON.parse(block)
    expect(data.rows.map((row: unknown[]) => [row[0], row.at(-1)])).toEqual([
      ['plain', null],
      ['known', 'expected failure'],
      ['mended', 'unexpected pass'],
      ['shaky', 'quarantined'],
      ['broken', 'quarantined'],
      ['calm', 'quarantined'],
    ])
    expect(data.notes).toContain('2 skipped')
    expect(data.all.tests).toBe(3)
    expect(data.marked).toContain('skipped out (EVAL.yaml:10): no sandbox')
  })

  it('leave tests in quarantine out of the files of skill-creator', () => {
    const paths = [...skillCreator.render(marked())].map(({ path }) => path)
    expect(paths.filter(path => path?.includes('known'))).not.toEqual([])
    expect(paths.filter(path => path?.includes('shaky'))).toEqual([])
  })

  it('are those of the selected tests in a part of a run', () => {
    const part = filteredRun(marked(), { test_ids: ['plain', 'o*'] })
    expect(part && renderReport(text, part)).toContain('1 test: 1 passed; 2 skipped\n')
    const tagged = runOf([{ test_id: 'plain', tags: ['slow'] }], { skipped: SKIPPED, attempts: [], options: {} })
    const slow = filteredRun(tagged, { tags: ['slow'] })
    expect(slow && renderReport(text, slow)).toContain('1 test: 1 passed; 1 skipped\n')
  })

  it('are listed up to twenty of a kind', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ test_id: `t${index}`, expected_failure: 'x', ...failed }))
    const report = renderReport(text, runOf(many))
    expect(report).toContain('\nand 480 more (expected failure)\n')
    expect(report).toContain('500 tests: 500 expected failures\n')
  })
})
