import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import { loadTestWithDiagnostics } from '../support/checks.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'
import { folderWith } from '../support/program.ts'

/** Grades an answer with these vectors: of the answer, then of the texts. */
async function gradeWith(check: object, reply: unknown, text = 'an answer', more: object = {}) {
  const replies = [reply instanceof Error ? reply : typeof reply === 'string' ? reply : JSON.stringify(reply)]
  const { results, asked, requests } = await judgedBy(
    [JSON.stringify({ type: 'similar', target: 'e', ...check })],
    replies,
    {
      text,
      ...more,
    },
  )
  return { result: results[0], asked, requests }
}

describe('similar', () => {
  it.each([
    [[3, 4], [4, 3], 0.96],
    [[1, 1], [1, 0], Math.SQRT1_2],
    [[2, 0], [5, 0], 1],
    [[1, 0], [0, 1], 0],
    // An opposite direction is not less than nothing.
    [[1, 0], [-1, 0], 0],
  ])('scores the cosine of %j and %j: %d', async (own, other, score) => {
    const { result } = await gradeWith({ value: 'a text' }, [own, other])
    expect(result?.score).toBeCloseTo(score, 6)
  })

  it('embeds the answer and all texts in one request, and takes the nearest', async () => {
    const { result, asked, requests } = await gradeWith({ value: ['one', 'two', '3'] }, [
      [1, 0],
      [0, 1],
      [3, 4],
      [-1, 0],
    ])
    expect(result).toMatchObject({ score: 0.6, hits: ['cosine similarity 0.6'], details: { similarity: 0.6 } })
    expect(asked).toEqual([['an answer', 'one', 'two', '3']])
    expect(requests).toMatchObject([{ embeds: true, temperature: 0 }])
  })

  it('scores 1 or 0 with a threshold, which rounding errors do not miss', async () => {
    const vectors = [
      [3, 4],
      [4, 3],
    ]
    const met = await gradeWith({ value: 'x', threshold: 0.96 }, vectors)
    expect(met.result).toMatchObject({ score: 1, hits: ['cosine similarity 0.96 is at least 0.96'] })
    const missed = await gradeWith({ value: 'x', threshold: 0.97 }, vectors)
    expect(missed.result).toMatchObject({ score: 0, misses: ['cosine similarity 0.96 is below 0.97'] })
    const negated = await gradeWith({ value: 'x', threshold: 0.97, negate: true }, vectors)
    expect(negated.result).toMatchObject({ score: 1, hits: ['cosine similarity 0.96 is below 0.97'] })
  })

  it('compares with the expected output by default', async () => {
    const { asked } = await gradeWith({}, [[1], [1]], 'an answer', { fields: 'expected_output: Paris' })
    expect(asked).toEqual([['an answer', 'Paris']])
  })

  it('compares what `subject` names, and misses a file that does not exist, also if negated', async () => {
    const workspace = folderWith({ 'a.md': 'in the file' })
    const check = { value: 'x', subject: { file: 'a.md' } }
    const { asked } = await gradeWith(check, [[1], [1]], 'an answer', { workspace })
    expect(asked).toEqual([['in the file', 'x']])
    const absent = { value: 'x', subject: { file: 'b.md' }, negate: true }
    const { result, requests } = await gradeWith(absent, [[1], [1]], 'an answer', { workspace })
    expect([result?.score, requests.length]).toEqual([0, 0])
  })

  it.each([
    ['the same text', 'same', ['other', 'same'], 1],
    ['an empty answer', '', 'other', 0],
    ['a blank answer', ' \n', 'other', 0],
    ['only blank texts', 'an answer', [' ', '\n'], 0],
  ])('does not ask for %s', async (_, text, value, score) => {
    const { result, requests } = await gradeWith({ value }, 'never asked', text)
    expect([result?.score, requests.length]).toEqual([score, 0])
  })

  it('leaves out blank texts, which services reject', async () => {
    const { asked } = await gradeWith({ value: [' ', 'x'] }, [[1], [1]])
    expect(asked).toEqual([['an answer', 'x']])
  })

  it.each([
    ['fewer vectors than texts', [[1, 2]], '1 vectors for 2 texts'],
    ['more vectors than texts', [[1], [2], [3]], '3 vectors for 2 texts'],
    ['vectors of different lengths', [[1, 2], [1]], 'vectors of different lengths: 2, 1'],
    ['empty vectors', [[], []], 'a vector is empty'],
    [
      'a vector of zeros',
      [
        [0, 0],
        [1, 0],
      ],
      'a vector of zeros has no direction',
    ],
    [
      'values that are not numbers',
      [
        [1, null],
        [1, 0],
      ],
      'not finite numbers',
    ],
    ['infinite values', '[[1e999, 1], [1, 0]]', 'not finite numbers'],
    ['text', 'I am a model', 'not finite numbers'],
  ])('is an error with %s, not a score', async (_, reply, message) => {
    const { result } = await gradeWith({ value: 'x' }, reply)
    expect(result).toMatchObject({ score: null, passed: false, error: { code: 'judge-reply' } })
    expect(result?.error?.message).toContain(message)
  })

  it('is an error if the service rejects a text, also if negated', async () => {
    const tooLong = new NoAnswer('http-status', 'HTTP 400: maximum context length is 8192 tokens')
    const { result } = await gradeWith({ value: 'x', negate: true }, tooLong)
    expect(result).toMatchObject({ score: null, passed: false, error: { code: 'judge-no-answer' } })
    expect(result?.error?.message).toBe(
      'the texts could not be embedded: HTTP 400: maximum context length is 8192 tokens',
    )
  })

  it('needs a text and the name of a target', async () => {
    const checks = ['{ type: similar, value: x }', '{ type: similar, target: e }']
    const { diagnostics } = await loadTestWithDiagnostics(checks)
    expect(diagnostics).toMatchObject([
      { code: 'missing-key', hint: expect.stringContaining('add `target: NAME`') },
      { code: 'no-comparison' },
    ])
  })
})
