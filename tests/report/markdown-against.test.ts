import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { comparedBaseline } from '../../src/report/baseline/compared-baseline.ts'
import { baselineOf } from '../../src/report/baseline/make-baseline.ts'
import { markdown } from '../../src/report/markdown.ts'
import { hugeSize } from '../support/random-examples.ts'
import { renderReport, runOf } from '../support/recorded-run.ts'

const SOURCE = 'https://example.com/owner/repo/blob/0123456789abcdef0123456789abcdef01234567/'
const OPTIONS = { options: {}, suites: [{ name: 'suite', file: 'EVAL.yaml', sha256: '' }] } as unknown as RunInfo

/** The report of a run against the baseline of an earlier one. */
function comment(
  before: readonly Partial<Result>[],
  after: readonly Partial<Result>[],
  { gates = {}, info = {} }: { gates?: object; info?: Partial<RunInfo> } = {},
): string {
  const known = before.map(result => ({ run_id: 'before', ...result }))
  const reference = comparedBaseline('main', baselineOf(runOf(known.map(withHashes))))
  const run = runOf(after.map(withHashes), { ...OPTIONS, run_id: 'after', ...info })
  return renderReport(markdown, run, { against: { reference, ...gates } })
}

const withHashes = (result: Partial<Result>): Partial<Result> => ({
  test_hash: `test ${result.test_id}`,
  target_hash: 'target',
  ...result,
})
const passes = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({ test_id, ...more })
const fails = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  score: 0,
  verdict: 'fail',
  misses: [`does not contain ${test_id}`],
  ...more,
})

describe('the comment on a pull request', () => {
  it('has the verdict first, then what broke, then the figures', () => {
    const text = comment([passes('a'), passes('b'), fails('c')], [passes('a'), fails('b', { line: 7 }), fails('c')], {
      gates: { fail_on_new_failures: true },
      info: { source_url: SOURCE, git_commit: '0123456789abcdef0123456789abcdef01234567' },
    })
    const lines = text.split('\n').filter(line => line !== '')
    expect(lines.slice(0, 3)).toEqual([
      '### Quality gate failed against main: 1 new failure',
      `- **fail** b on default ([EVAL.yaml:7](${SOURCE}EVAL.yaml#L7)): does not contain b`,
      '### 1 of 3 tests passed: 33 % [6–79]',
    ])
    expect(text.match(/does not contain b/g)).toHaveLength(1)
    expect(text.indexOf('does not contain c')).toBeGreaterThan(text.indexOf('| suite |'))
  })

  it('names the verdict where no gate is asked for', () => {
    expect(comment([passes('a')], [passes('a')]).split('\n')[0]).toBe('### Against main: inconclusive')
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`)
    const worse = comment(
      ids.map(id => passes(id)),
      ids.map(id => fails(id)),
    )
    expect(worse.split('\n')[0]).toBe('### Against main: worse, 12 new failures')
  })

  it('does not pass the gate of a run that lacks attempts', () => {
    const before = [passes('a'), passes('b')]
    const run = comment(before, [passes('a')], {
      gates: { fail_on_regression: true },
      info: { selected_tests: 1, available_tests: 2 },
    })
    expect(run.split('\n')[0]).toMatch(/^### Quality gate cannot pass \(incomplete\) against main/)
  })

  it('says that no test is affected where everything is carried over', () => {
    const { tests } = baselineOf(runOf([withHashes(passes('a', { run_id: 'before' }))]))
    const text = comment([passes('a')], [], {
      gates: { fail_on_regression: true },
      info: { carried: { from: 'baseline main', tests } },
    })
    expect(text.split('\n')[0]).toBe('### Quality gate passed against main: no test affected')
    expect(text).toContain('**1 test carried over from baseline main: 1 pass**')
  })

  it('names failures that are carried over', () => {
    const { tests } = baselineOf(runOf([withHashes(fails('a', { run_id: 'before', line: 4 }))]))
    const text = comment([fails('a')], [passes('b')], { info: { carried: { from: 'baseline main', tests } } })
    expect(text).toContain('- **fail** a on default (EVAL.yaml:4): carried over\n')
  })

  it('says that a new or changed test fails, which the gate cannot see', () => {
    const after = [passes('a'), fails('b', { test_hash: 'another' }), fails('c')]
    const text = comment([passes('a'), fails('b')], after, { gates: { fail_on_regression: true } })
    expect(text).toMatch(/^### Quality gate passed against main/)
    expect(text).toContain('2 new or changed tests do not pass, and cannot be compared')
  })

  it('stays below the size limit of GitHub with thousands of failures and hostile texts', () => {
    const hostile = '@#|[](<>)'.repeat(200)
    const many = (made: typeof passes) =>
      Array.from({ length: hugeSize(5000) }, (_, index) =>
        made(`${hostile}${index}`, {
          suite: `suite ${index % 900} ${hostile}`,
          target: `target ${index % 7}`,
          file: `${hostile}/${index}.yaml`,
        }),
      )
    const text = comment(
      many(passes),
      many((id, more) => fails(id, { ...more, misses: Array(9).fill(hostile) })),
      {
        gates: { fail_on_new_failures: true },
        info: { source_url: SOURCE },
      },
    )
    expect(text.length).toBeLessThan(65_000)
    expect(text).toMatch(/^### Quality gate failed against main: /)
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
    expect(text).toMatch(/and \d+ more/)
  })

  it('links a file whose name has spaces and parentheses', () => {
    const text = comment(
      [passes('a', { file: 'my (old) suite.yaml' })],
      [fails('a', { file: 'my (old) suite.yaml', line: 3 })],
      {
        info: { source_url: SOURCE },
      },
    )
    expect(text).toContain(`](${SOURCE}my%20%28old%29%20suite.yaml#L3)`)
  })

  it('has no links where the page of the commit is unknown or not a web page', () => {
    for (const source_url of [undefined, 'javascript:alert(1)//'])
      expect(comment([passes('a')], [fails('a')], { info: { source_url } })).toContain('on default (EVAL.yaml:1):')
  })
})
