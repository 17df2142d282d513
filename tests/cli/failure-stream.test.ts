import { describe, expect, it } from 'vitest'
import { FailureStream } from '../../src/cli/terminal/failure-stream.ts'
import { PLAIN } from '../../src/lib/palette.ts'
import { displayWidth } from '../../src/lib/text/unicode.ts'
import type { Result } from '../../src/model/result.ts'
import { checkResult, resultWith } from '../support/recorded-run.ts'

function failing(misses: readonly string[], fields: Partial<Result> = {}): Result {
  const evaluator_results = [checkResult({ score: 0, misses: [...misses] })]
  return resultWith({ test_id: 'greets', verdict: 'fail', score: 0.5, evaluator_results, ...fields })
}

describe('FailureStream', () => {
  it('describes failures, errors and borderline results, and no others', () => {
    const stream = new FailureStream(PLAIN)
    const texts = [
      failing(['does not contain "Bob"', 'is too long']),
      resultWith({
        test_id: 'waits',
        verdict: 'error',
        score: null,
        error: { code: 'timeout', stage: 'answer', message: 'took 3 s' },
      }),
      failing(['nearly'], { test_id: 'adds', verdict: 'borderline', score: 0.7, trial: 2 }),
      resultWith({}),
      failing(['no'], { control: true }),
      failing(['no'], { expected_failure: 'known' }),
      failing(['no'], { quarantine: { reason: 'flaky', until: '2099-12-31' } }),
    ].map(result => stream.add(result, 80))
    expect(texts).toEqual([
      'fail greets on default 0.50: does not contain "Bob" (and 1 more reason)',
      'error waits on default: timeout: took 3 s',
      'borderline adds on default trial 2 0.70: nearly',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('does not repeat the reason of another trial', () => {
    const stream = new FailureStream(PLAIN)
    const reasons = ['no name', 'no name', 'too long']
    const texts = reasons.map((reason, index) => stream.add(failing([reason], { trial: index + 1 }), 80))
    expect(texts.map(text => text?.split(': ')[1])).toEqual(['no name', 'same as trial 1', 'too long'])
    expect(stream.add(failing(['no name'], { target: 'other' }), 80)).toContain('no name')
  })

  it('counts failures after the first 50', () => {
    const stream = new FailureStream(PLAIN)
    const texts = Array.from({ length: 53 }, (_, index) => stream.add(failing(['no'], { test_id: `t${index}` }), 80))
    expect(texts.filter(text => text !== undefined)).toHaveLength(50)
    expect(stream.rest).toBe('and 3 more failures; see the table')
  })

  it.each([40, 60, 80, 140])('has at most four lines in %i columns, whatever the reason', columns => {
    const hostile = `\u001b[2J\u001b]0;x\u0007\r\u202e${'日本 '.repeat(300_000)}`
    const text = new FailureStream(PLAIN).add(failing([hostile]), columns) ?? ''
    const lines = text.split('\n')
    expect(lines).toHaveLength(4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal must not get these
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })
})
