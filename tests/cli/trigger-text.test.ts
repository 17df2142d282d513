import { describe, expect, it } from 'vitest'
import { conclude } from '../../src/cli/conclusion.ts'
import type { Result } from '../../src/model/result.ts'
import { PLAIN_TERMINAL } from '../support/in-process.ts'
import { checkResult, runOf, trialsOf, triggerResult } from '../support/recorded-run.ts'

/** The lines of the summary about skills. */
function skillLines(results: readonly Partial<Result>[], quiet = false): string[] {
  const { text } = conclude(runOf(results), { quiet }, PLAIN_TERMINAL)
  return text
    .split('\n')
    .filter(
      line =>
        /^ {0,2}\S.* (on|rate|suspect|more|threshold) ?/.test(line) &&
        !/^(pass|fail|suite|\d+ trial| {2}note)/.test(line),
    )
}

const queryResults = (test_id: string, should: boolean, ...did: (boolean | undefined)[]): Partial<Result>[] =>
  did.map((triggered, index) => ({
    test_id,
    input: [{ role: 'user', content: test_id }],
    trial: index + 1,
    evaluator_results: [triggerResult('csv-analyzer', should, triggered)],
  }))

const many = (count: number, should: boolean, did: boolean) =>
  Array.from({ length: count }, (_, index) => queryResults(`${should}-${did}-${index}`, should, did)).flat()

describe('the trigger rates in the summary', () => {
  it('have intervals, and a verdict for each query', () => {
    expect(skillLines([...many(2, true, true), ...many(1, false, false)])).toEqual([
      'csv-analyzer on default: 3 of 3 correct, precision 1.00 [0.34–1.00], recall 1.00 [0.34–1.00], F1 1.00 [0.51–1.00]',
      '  3 of 3 queries passed (trigger threshold 0.5)',
      '  pass true-true-0: trigger rate 1.00 (1 of 1), should trigger',
      '  pass true-true-1: trigger rate 1.00 (1 of 1), should trigger',
      '  pass false-false-0: trigger rate 0.00 (0 of 1), should not trigger',
    ])
  })

  it('list queries in the order of the plan', () => {
    expect(
      skillLines([
        ...queryResults('first', true, true),
        ...queryResults('weather', false, true),
        ...many(11, true, true),
        ...queryResults('two\nlines', false, true),
      ]).filter(line => !line.includes('true-true')),
    ).toEqual([
      'csv-analyzer on default: 12 of 14 correct, precision 0.86 [0.60–0.96], recall 1.00 [0.76–1.00], F1 0.92 [0.75–0.98]',
      '  12 of 14 queries passed (trigger threshold 0.5)',
      '  pass first: trigger rate 1.00 (1 of 1), should trigger',
      '  fail weather: trigger rate 1.00 (1 of 1), should not trigger',
      '  fail two↵lines: trigger rate 1.00 (1 of 1), should not trigger',
    ])
  })

  it('give the rate of a query with several answers its interval', () => {
    const results = [...queryResults('always', true, true), ...queryResults('mostly', true, true, true, false)]
    expect(skillLines(results).slice(2, 4)).toEqual([
      '  pass always: trigger rate 1.00 (1 of 1), should trigger',
      '  pass mostly: trigger rate 0.67 [0.21–0.94] (2 of 3), should trigger',
    ])
  })

  it('name every threshold that was used', () => {
    const [first, second] = [...queryResults('a', true, true), ...queryResults('b', true, true)]
    expect(skillLines([{ ...first, trigger_threshold: 0.9 }, { ...second }])[1]).toBe(
      '  2 of 2 queries passed (trigger threshold 0.5, 0.9)',
    )
  })

  it('count answers if queries have several trials, without an interval for a single query', () => {
    const results = [
      ...queryResults('top', true, false, true, false),
      ...queryResults('time', false, false, false, undefined),
    ]
    expect(skillLines(results)).toEqual([
      'csv-analyzer on default: 3 of 5 answers to 2 queries correct, precision 1.00, recall 0.33, F1 0.50, 1 not judged',
      '  1 of 2 queries passed (trigger threshold 0.5)',
      '  fail top: trigger rate 0.33 [0.06–0.79] (1 of 3), should trigger',
      '  pass time: trigger rate 0.00 [0.00–0.66] (0 of 2), should not trigger, 1 not judged',
    ])
  })

  it('show - for a rate without answers', () => {
    expect(skillLines(many(2, false, false))[0]).toBe(
      'csv-analyzer on default: 2 of 2 correct, precision -, recall -, F1 -',
    )
    expect(skillLines(queryResults('a', true, undefined))).toEqual([
      'csv-analyzer on default: 0 of 0 correct, precision -, recall -, F1 -, 1 not judged',
      '  0 of 1 query passed (trigger threshold 0.5)',
      '  not judged a: trigger rate - (0 of 0), should trigger',
    ])
  })

  it('report a suspect harness instead of every query if the skill was never used', () => {
    expect(skillLines([...many(3, true, false), ...many(2, false, false)])).toEqual([
      'csv-analyzer on default: 2 of 5 correct, precision -, recall 0.00 [0.00–0.56], F1 0.00 [0.00–0.72]',
      '  harness suspect: the skill was not used in any of the 3 answers that should use it, which says little about its description. Check that the skill is installed (`skills` of the target) and that transcripts contain tool calls.',
    ])
  })

  it('report no suspect harness if the skill was used once', () => {
    expect(skillLines([...many(3, true, false), ...many(1, true, true)]).join()).not.toContain('suspect')
    expect(skillLines([...many(3, true, false), ...many(1, false, true)]).join()).not.toContain('suspect')
  })

  it('count attempts without an answer', () => {
    const crashes = trialsOf('crashes', [null, null])
    const lines = skillLines([...many(5, true, true), ...queryResults('silent', true, undefined), ...crashes])
    expect(lines.filter(line => line.startsWith('csv'))).toEqual([
      'csv-analyzer on default: 5 of 5 correct, precision 1.00, recall 1.00 [0.57–1.00], F1 1.00, 1 not judged, 2 without an answer',
    ])
  })

  it('count attempts without an answer beside the rate of their query', () => {
    const crash = trialsOf('a', [null])[0]
    const lines = skillLines([...queryResults('a', true, true, false), { ...crash, trial: 3 }])
    expect(lines).toContain('  pass a: trigger rate 0.50 [0.09–0.91] (1 of 2), should trigger, 1 without an answer')
  })

  it('say what they cannot show', () => {
    const notes = (results: readonly Partial<Result>[]) =>
      conclude(runOf(results), {}, PLAIN_TERMINAL)
        .text.split('\n')
        .flatMap(line => (line.startsWith('  note: ') ? [line.slice(8)] : []))
    expect(notes([...many(2, true, true), ...many(2, false, false)])).toEqual([])
    expect(notes([...many(1, true, true), ...many(1, false, false)])).toEqual([
      'only one query should use the skill: recall and F1 have no interval',
      'only one query should leave the skill unused: precision and F1 say little about unwanted use',
      'only one query used the skill: precision has no interval',
    ])
    expect(notes(many(3, true, true))).toEqual([
      'no judged query should leave the skill unused: precision and F1 say nothing about unwanted use',
    ])
    expect(notes(many(3, false, false))).toEqual([
      'no judged query should use the skill: recall is unknown, and F1 says nothing',
      'the skill was never used: precision is unknown',
    ])
    expect(notes(queryResults('a', true, undefined))).toEqual(['no query was judged'])
  })

  it('mark the control arm', () => {
    const results = many(2, true, true).map(result => ({ ...result, target: 'bare', control: true as const }))
    expect(skillLines(results)[0]).toMatch(/^csv-analyzer on bare \(control\): 2 of 2 correct/)
  })

  it('have a line for each skill on each target', () => {
    const checks = [triggerResult('a', true, true), triggerResult('b', false, false)]
    const results = ['x', 'y'].map(target => ({ test_id: 't', target, evaluator_results: checks }))
    expect(skillLines(results).flatMap(line => (line.startsWith(' ') ? [] : [line.split(':')[0]]))).toEqual([
      'a on x',
      'b on x',
      'a on y',
      'b on y',
    ])
  })

  it('list at most twenty queries of a skill', () => {
    const lines = skillLines([...many(23, false, true), ...many(1, true, true)])
    expect(lines).toHaveLength(23)
    expect(lines.at(-1)).toBe('  and 4 more, 3 of which failed')
    expect(skillLines(many(21, true, true)).at(-1)).toBe('  and 1 more')
  })

  it('come after the failed tests and before the table', () => {
    const { text } = conclude(
      runOf([{ verdict: 'fail', score: 0, ...queryResults('a', false, true)[0] }]),
      {},
      PLAIN_TERMINAL,
    )
    expect(text).toMatch(
      /fail a on default[\s\S]*\n\ncsv-analyzer on default: .*\n.*threshold.*\n {2}fail a: .*\n(?: {2}note: .*\n)+\nsuite +target [\s\S]*\n1 test: 1 failed\n$/,
    )
  })

  it('are absent if no check is about a skill', () => {
    expect(skillLines([{ evaluator_results: [checkResult()] }])).toEqual([])
  })

  it('are only a suspect harness with --quiet', () => {
    expect(skillLines([...many(1, true, true), ...many(1, false, true)], true)).toEqual([])
    expect(skillLines(many(1, true, false), true)).toHaveLength(2)
  })

  it('contain no control characters', () => {
    const checks = [triggerResult('a\u001b[31m\nb', true, false), triggerResult('c', false, true)]
    const { text } = conclude(runOf([{ test_id: '\u001b]0;x\u0007', evaluator_results: checks }]), {}, PLAIN_TERMINAL)
    expect(text).toContain('a␛[31m↵b on default: ')
    for (const character of ['\u001b', '\u0007']) expect(text).not.toContain(character)
  })
})
