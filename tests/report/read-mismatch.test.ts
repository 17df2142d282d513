import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDifferences, jsonDifferences } from '../../src/lib/json/differences.ts'
import { textDifference } from '../../src/lib/text/diff.ts'
import { readMismatch } from '../../src/report/read-mismatch.ts'

const shown = (reason: string) => {
  const read = readMismatch(reason)
  return read && [read.title, ...read.lines.map(({ mark, text }) => `${mark}${text}`)]
}

describe('readMismatch', () => {
  it.each([
    ['Helo', 'Hello', ['the answer differs', '-Hello', '+Helo']],
    ['hello', 'Hello', ['the answer differs (only upper and lower case differ)', '-Hello', '+hello']],
    ['', 'Hello', ['the answer is empty', '-Hello']],
    ['a\nc', 'a\nb', ['the answer differs', ' a', '-b', '+c']],
    ['He said "no"', 'He said "yes"', ['the answer differs', '-He said "yes"', '+He said "no"']],
  ])('reads how %j differs from %j', (answer, expected, lines) => {
    expect(shown(textDifference(answer, expected))).toEqual(lines)
  })

  it('reads the lines of a long text, and how many more there are', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of a text`)
    const changed = lines.with(19, '- 20')
    const read = shown(textDifference(changed.join('\n'), lines.join('\n')))
    expect(read?.slice(0, 6)).toEqual([
      'the answer differs at line 20',
      ' line 18 of a text',
      ' line 19 of a text',
      '-line 20 of a text',
      '+- 20',
      ' line 21 of a text',
    ])
    expect(read?.at(-1)).toBe(' … 9 more lines')
  })

  it('reads fields, one or several', () => {
    expect(shown('order.total is 42.5, expected 40 (required)')).toEqual([
      undefined,
      '-order.total: 40 (required)',
      '+order.total: 42.5',
    ])
    const [found, expected] = [
      { a: 1, b: 'x; y is 2', d: 4, e: 5 },
      { a: 2, b: 'z', c: [3], e: 6 },
    ]
    const differences = formatDifferences(jsonDifferences(found, expected))
    // A value with `; ` could be two: the reason stays as it is.
    expect(shown(`the state differs: ${differences}`)).toBeUndefined()
    const others = formatDifferences(jsonDifferences({ ...found, b: 'y' }, expected))
    expect(shown(`the state differs: ${others}`)).toEqual([
      'the state differs',
      '-a: 2',
      '+a: 1',
      '-b: "z"',
      '+b: "y"',
      '-c: [3]',
      ' … 2 more differences',
    ])
  })

  it.each([
    'does not contain "42"',
    'timeout: took longer than 3 s',
    'latency is 3 s, expected at most 2 s',
    'the answer is "a", expected "b", expected "c"',
    'must not hold, but does: the answer is "a", expected "b"',
    'not satisfied: Is kind — the answer is "a", expected "b"',
    'the answer has\nfrom line 1 (- expected, + answer):\n- a',
  ])('leaves %j as it is', reason => {
    expect(readMismatch(reason)).toBeUndefined()
  })

  it('never shows a text as expected that is not', () => {
    const text = fc.stringMatching(/^[ab", expctd]{1,30}$/).map(each => each.trim())
    fc.assert(
      fc.property(text, text, (answer, expected) => {
        fc.pre(answer !== expected)
        const read = readMismatch(textDifference(answer, expected))
        if (!read) return
        const lines = (mark: string) => read.lines.filter(line => line.mark === mark).map(line => line.text)
        expect(lines('-')).toEqual([expected])
        expect(lines('+')).toEqual(answer === '' ? [] : [answer])
      }),
    )
  })
})
