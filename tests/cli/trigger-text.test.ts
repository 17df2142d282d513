import { describe, expect, it } from 'vitest'
import { conclude } from '../../src/cli/conclusion.ts'
import type { Result } from '../../src/model/result.ts'
import { PLAIN_TERMINAL } from '../support/in-process.ts'
import { found, runOf, trialsOf, triggerFound } from '../support/recorded-run.ts'

/** What the summary says about skills: the lines between the table of the suites, or what did not pass, and the counts. */
function shown(results: readonly Partial<Result>[], quiet = false): string[] {
  const { text } = conclude(runOf(results), { quiet }, PLAIN_TERMINAL)
  return text
    .split('\n')
    .filter(
      line => /^ {0,2}\S.* (on|rate|suspect|more|threshold) ?/.test(line) && !/^(pass|fail|suite|\d+ trial)/.test(line),
    )
}

const asked = (test_id: string, should: boolean, ...did: (boolean | undefined)[]): Partial<Result>[] =>
  did.map((triggered, index) => ({
    test_id,
    trial: index + 1,
    evaluator_results: [triggerFound('csv-analyzer', should, triggered)],
  }))

const many = (count: number, should: boolean, did: boolean) =>
  Array.from({ length: count }, (_, index) => asked(`${should}-${did}-${index}`, should, did)).flat()

describe('the summary says how often skills were used', () => {
  it('with intervals, and the verdict on each query beside its rate', () => {
    expect(shown([...many(2, true, true), ...many(1, false, false)])).toEqual([
      'csv-analyzer on default: 3 of 3 correct, precision 1.00 [0.34–1.00], recall 1.00 [0.34–1.00], F1 1.00',
      '  3 of 3 queries passed (trigger threshold 0.5)',
      '  pass true-true-0: trigger rate 1.00 (1 of 1), should trigger',
      '  pass true-true-1: trigger rate 1.00 (1 of 1), should trigger',
      '  pass false-false-0: trigger rate 0.00 (0 of 1), should not trigger',
    ])
  })

  it('with the queries that failed first', () => {
    expect(
      shown([...many(12, true, true), ...asked('weather', false, true), ...asked('two\nlines', false, true)]).slice(
        0,
        5,
      ),
    ).toEqual([
      'csv-analyzer on default: 12 of 14 correct, precision 0.86 [0.60–0.96], recall 1.00 [0.76–1.00], F1 0.92',
      '  12 of 14 queries passed (trigger threshold 0.5)',
      '  fail weather: trigger rate 1.00 (1 of 1), should not trigger',
      '  fail two↵lines: trigger rate 1.00 (1 of 1), should not trigger',
      '  pass true-true-0: trigger rate 1.00 (1 of 1), should trigger',
    ])
  })

  it('with queries that passed, and failed at times, before those that never failed', () => {
    const results = [...asked('always', true, true), ...asked('mostly', true, true, true, false)]
    expect(shown(results).slice(2)).toEqual([
      '  pass mostly: trigger rate 0.67 (2 of 3), should trigger',
      '  pass always: trigger rate 1.00 (1 of 1), should trigger',
    ])
  })

  it('with each threshold that was used', () => {
    const [first, second] = [...asked('a', true, true), ...asked('b', true, true)]
    expect(shown([{ ...first, trigger_threshold: 0.9 }, { ...second }])[1]).toBe(
      '  2 of 2 queries passed (trigger threshold 0.5, 0.9)',
    )
  })

  it('with queries whose trials disagree, and without an interval where one query is all there is', () => {
    const results = [...asked('top', true, false, true, false), ...asked('time', false, false, false, undefined)]
    expect(shown(results)).toEqual([
      'csv-analyzer on default: 3 of 5 answers to 2 queries correct, precision 1.00, recall 0.33, F1 0.50, 1 not judged',
      '  1 of 2 queries passed (trigger threshold 0.5)',
      '  fail top: trigger rate 0.33 (1 of 3), should trigger',
      '  pass time: trigger rate 0.00 (0 of 2), should not trigger',
    ])
  })

  it('with - for a share of nothing', () => {
    expect(shown(many(2, false, false))[0]).toBe('csv-analyzer on default: 2 of 2 correct, precision -, recall -, F1 -')
    expect(shown(asked('a', true, undefined))).toEqual([
      'csv-analyzer on default: 0 of 0 correct, precision -, recall -, F1 -, 1 not judged',
      '  0 of 1 query passed (trigger threshold 0.5)',
      '  not judged a: trigger rate - (0 of 0), should trigger',
    ])
  })

  it('calls the harness suspect where nothing was ever used, instead of listing every query', () => {
    expect(shown([...many(3, true, false), ...many(2, false, false)])).toEqual([
      'csv-analyzer on default: 2 of 5 correct, precision -, recall 0.00 [0.00–0.56], F1 0.00',
      '  harness suspect: the skill was not used in any of the 3 answers that should use it, which says little about its description. Check that the skill is installed (`skills` of the target) and that transcripts contain tool calls.',
    ])
  })

  it('and not where one of them was used', () => {
    expect(shown([...many(3, true, false), ...many(1, true, true)]).join()).not.toContain('suspect')
    expect(shown([...many(3, true, false), ...many(1, false, true)]).join()).not.toContain('suspect')
  })

  it('with the attempts that have no answer', () => {
    const crashes = trialsOf('crashes', [null, null])
    const lines = shown([...many(5, true, true), ...asked('silent', true, undefined), ...crashes])
    expect(lines.filter(line => line.startsWith('csv'))).toEqual([
      'csv-analyzer on default: 5 of 5 correct, precision 1.00 [0.57–1.00], recall 1.00 [0.57–1.00], F1 1.00, 1 not judged, 2 without an answer',
    ])
  })

  it('a line for each skill on each target', () => {
    const checks = [triggerFound('a', true, true), triggerFound('b', false, false)]
    const results = ['x', 'y'].map(target => ({ test_id: 't', target, evaluator_results: checks }))
    expect(shown(results).flatMap(line => (line.startsWith(' ') ? [] : [line.split(':')[0]]))).toEqual([
      'a on x',
      'b on x',
      'a on y',
      'b on y',
    ])
  })

  it('not more than twenty queries of each', () => {
    const lines = shown([...many(23, false, true), ...many(1, true, true)])
    expect(lines).toHaveLength(23)
    expect(lines.at(-1)).toBe('  and 4 more, 3 of which failed')
    expect(shown(many(21, true, true)).at(-1)).toBe('  and 1 more')
  })

  it('between what did not pass and the counts', () => {
    const { text } = conclude(runOf([{ verdict: 'fail', score: 0, ...asked('a', false, true)[0] }]), {}, PLAIN_TERMINAL)
    expect(text).toMatch(
      /fail a on default[\s\S]*\n\ncsv-analyzer on default: .*\n.*threshold.*\n {2}fail a: .*\n\n1 test: 1 failed\n$/,
    )
  })

  it('nothing where no check is about a skill', () => {
    expect(shown([{ evaluator_results: [found()] }])).toEqual([])
  })

  it('with --quiet only what is suspect', () => {
    expect(shown([...many(1, true, true), ...many(1, false, true)], true)).toEqual([])
    expect(shown(many(1, true, false), true)).toHaveLength(2)
  })

  it('without anything that steers the terminal', () => {
    const checks = [triggerFound('a\u001b[31m\nb', true, false), triggerFound('c', false, true)]
    const { text } = conclude(runOf([{ test_id: '\u001b]0;x\u0007', evaluator_results: checks }]), {}, PLAIN_TERMINAL)
    expect(text).toContain('a␛[31m↵b on default: ')
    for (const character of ['\u001b', '\u0007']) expect(text).not.toContain(character)
  })
})
