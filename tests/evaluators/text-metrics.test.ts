import { describe, expect, it } from 'vitest'
import { gradeChecks, gradeOf, loadTestWithDiagnostics } from '../support/checks.ts'

/** The score of an answer, to 6 digits. */
async function scoreOf(check: string, answer: string): Promise<number> {
  return Number((await gradeOf(check, answer)).score.toFixed(6))
}

describe('levenshtein', () => {
  it.each([
    // 3 edits, 7 letters.
    ['sitting', 'kitten', 0.571429],
    ['Oslo', ' Oslo\n', 1],
    ['Oslo', 'oslo', 0.75],
    // The same letter, composed and decomposed.
    ['caf\u00e9', 'cafe\u0301', 1],
    // One of two emoji, each of two UTF-16 units.
    ['\u{1f600}\u{1f601}', '\u{1f600}\u{1f602}', 0.5],
    ['abc', '', 0],
  ])('compares %j with %j: %d', async (value, answer, score) => {
    expect(await scoreOf(JSON.stringify({ type: 'levenshtein', value }), answer)).toBe(score)
  })

  it('scores 1 or 0 with a threshold, and says the similarity', async () => {
    const grade = await gradeOf('{ type: levenshtein, value: sitting, threshold: 0.6 }', 'kitten')
    expect(grade).toMatchObject({ score: 0, misses: ['Levenshtein similarity 0.571 is below 0.6'] })
    expect((await gradeOf('{ type: levenshtein, value: 0.1, threshold: 1 }', '0.1')).score).toBe(1)
    // 1 − 9/10 is a little less than 0.1 in floating point.
    expect((await gradeOf('{ type: levenshtein, value: abcdefghij, threshold: 0.1 }', 'axxxxxxxxx')).score).toBe(1)
    expect((await gradeOf('{ type: levenshtein, value: abcdefghij, threshold: 0.2 }', 'axxxxxxxxx')).score).toBe(0)
  })

  it('has no hits without similarity, and no misses without difference', async () => {
    expect(await gradeOf('{ type: levenshtein, value: abc }', 'xyz')).toMatchObject({ score: 0, hits: [] })
    expect(await gradeOf('{ type: levenshtein, value: abc }', 'abc')).toMatchObject({ score: 1, misses: [] })
  })

  it('compares with the nearest of several texts, else with the expected output', async () => {
    expect(await scoreOf('{ type: levenshtein, value: [sitting, kitten] }', 'kitten')).toBe(1)
    const [result] = await gradeChecks(
      ['{ type: levenshtein }'],
      { text: 'Paris' },
      { fields: 'expected_output: Paris' },
    )
    expect(result?.score).toBe(1)
  })

  it('reports a check without a text before the run', async () => {
    const { diagnostics } = await loadTestWithDiagnostics(['{ type: levenshtein }'])
    expect(diagnostics).toMatchObject([{ code: 'no-comparison', line: 7 }])
  })

  it('is an error for texts that take too long', async () => {
    await expect(gradeOf('{ type: levenshtein, value: abc }', 'x'.repeat(40_000_000))).rejects.toThrow('too long')
  })
})

describe('rouge', () => {
  const answer = 'The cat sat.'
  const value = 'the cat sat on the mat'
  it.each([
    // 3 common words of 3 and 6; 2 common pairs of 2 and 5.
    ['1', value, answer, 0.666667],
    ['2', value, answer, 0.571429],
    // The examples of Lin (2004): 3 and 2 of 4 words in the same order.
    ['L', 'police killed the gunman', 'police kill the gunman', 0.75],
    ['L', 'police killed the gunman', 'the gunman kill police', 0.5],
    // A word counts as often as both have it.
    ['1', 'the cat', 'the the the', 0.4],
    ['2', 'one', 'one', 1],
    // Texts that are too short for pairs have no common one.
    ['2', 'one', 'two', 0],
    ['2', 'one', '', 0],
    // Texts without words are equal or not.
    ['1', '\u{1f44d}', '\u{1f44e}', 0],
    ['L', '\u{1f44d}', '', 0],
    ['L', '\u{1f44d}', ' \u{1f44d}\n', 1],
    ['1', 'a', '', 0],
    // Each character of Chinese is a word.
    ['1', '北京是首都', '北京', 0.571429],
  ])('ROUGE-%s of %j and %j is %d', async (variant, value, answer, score) => {
    expect(await scoreOf(JSON.stringify({ type: 'rouge', variant, value }), answer)).toBe(score)
  })
})

describe('bleu', () => {
  it.each([
    // Shares 5/5, 4/5, 3/4 and 2/3, with the brevity penalty exp(1 − 6/5).
    ['the cat sat on the mat', 'The cat sat on mat', 0.651113],
    ['the cat sat on the mat', 'the cat sat on the mat.', 1],
    // Shares 1/2 and 1/2, without a penalty.
    ['yes', 'yes it', 0.5],
    ['yes', 'yes', 1],
    ['one two', 'three four', 0],
    ['one', '', 0],
    ['\u{1f44d}', '\u{1f44e}', 0],
    ['\u{1f44d}', '\u{1f44d}', 1],
  ])('compares %j with %j: %d', async (value, answer, score) => {
    expect(await scoreOf(JSON.stringify({ type: 'bleu', value }), answer)).toBe(score)
  })
})

describe('word_count', () => {
  it.each([
    ['One, two – three!', 3],
    ["don't stop", 2],
    ['naïve cafe\u0301', 2],
    ['北京 is big', 4],
    ['3.5 km', 3],
    ['…', 0],
  ])('counts %j: %d', async (text, count) => {
    expect((await gradeOf(`{ type: word_count, min: ${count}, max: ${count} }`, text)).score).toBe(1)
    expect((await gradeOf(`{ type: word_count, min: ${count + 1} }`, text)).misses).toEqual([
      `has ${count} ${count === 1 ? 'word' : 'words'}, not at least ${count + 1}`,
    ])
  })

  it('reports limits that exclude each other', async () => {
    const { diagnostics } = await loadTestWithDiagnostics(['{ type: word_count, min: 5, max: 3 }'])
    expect(diagnostics).toMatchObject([{ code: 'bad-range' }])
  })
})

describe('is_yaml', () => {
  it.each(['a: 1\nb: [x]', '- 1', '{"a": 1}', '---\na: 1\n'])('accepts %j', async text => {
    expect((await gradeOf('{ type: is_yaml }', text)).score).toBe(1)
  })

  it.each([
    ['Hello, world', 'plain text'],
    ['', 'plain text'],
    ['2026-01-01', 'plain text'],
    ['!!binary aGk=', ''],
    ['null', 'plain text'],
    ['a: 1\na: 2', 'dup'],
    ['a: [1', ''],
    ['a: 1\n---\nb: 2', 'more than one document'],
    ['```yaml\na: 1\n```', 'allow_fenced'],
  ])('rejects %j', async (text, reason) => {
    const { score, misses } = await gradeOf('{ type: is_yaml }', text)
    expect(score).toBe(0)
    expect(misses[0]).toContain(reason)
  })

  it('accepts a fenced block if that is allowed', async () => {
    expect((await gradeOf('{ type: is_yaml, allow_fenced: true }', '```yaml\na: 1\n```')).score).toBe(1)
    expect((await gradeOf('{ type: is_yaml, allow_fenced: true }', 'a: 1')).score).toBe(1)
  })
})

describe('is_xml', () => {
  it.each([
    '<a/>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE a>\n<!-- c --><a x="1" y=\'>\'>t &amp; &#x41;<b/><![CDATA[<]]></a>\n',
    '<größe ns:id="ä">大</größe>',
    '<a><?pi some data?></a>',
  ])('accepts %j', async text => {
    expect((await gradeOf('{ type: is_xml }', text)).score).toBe(1)
  })

  it.each([
    ['plain', 'text outside of the root element, in line 1, column 1'],
    ['', 'no element'],
    ['<a>\n <b></a>', 'the end tag `a` does not match its start tag, in line 2, column 5'],
    ['<a>', '`a` is never closed'],
    ['<a/><b/>', 'a second root element'],
    ['<a x=1/>', 'not well-formed'],
    ['<a x="1" x="2"/>', 'the attribute `x` twice'],
    ['<a>&nbsp;</a>', 'known entity'],
    ['<a>&#0;</a>', 'not a character'],
    ['<a b="<"/>', 'not well-formed'],
    ['<!-- a -- b --><a/>', 'not well-formed'],
    ['<a>]]></a>', 'outside of CDATA'],
    ['</a>', 'without a start tag'],
    ['<a><?xml version="1.0"?></a>', 'a declaration inside'],
    [' <?xml version="1.0"?><a/>x', 'text outside'],
    ['<a>\u0001</a>', 'does not allow'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'not well-formed'],
    ['<1a/>', 'not well-formed'],
  ])('rejects %j', async (text, reason) => {
    const { score, misses } = await gradeOf('{ type: is_xml }', text)
    expect(score).toBe(0)
    expect(misses[0]).toContain(reason)
  })

  it('decides hostile texts at once', async () => {
    for (const text of [
      '<a '.repeat(200_000),
      `<a ${'b="c" '.repeat(200_000)}`,
      '<a>'.repeat(200_000),
      '<!--'.repeat(200_000),
    ])
      expect((await gradeOf('{ type: is_xml }', text)).score).toBe(0)
  })
})
