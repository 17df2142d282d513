import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Subject } from '../../src/model/evaluator.ts'
import { gradeOf, loadCheck } from '../support/checks.ts'

/** The fields of a check in YAML, an answer, and its grade. */
type Case = [fields: string, answer: string, score: 0 | 1, hits: string[], misses: string[]]

const COMPOSED = 'caf\u00e9'
const DECOMPOSED = 'cafe\u0301'

const contains: Case[] = [
  ['value: Alice', 'Hello Alice!', 1, ['contains "Alice"'], []],
  ['value: alice', 'Hello Alice!', 0, [], ['does not contain "alice"']],
  ['value: Alice', '', 0, [], ['does not contain "Alice"']],
  ['value: 1.50', 'It costs 1.50 euros', 1, ['contains "1.50"'], []],
  ['value: 1.50', 'It costs 1.5 euros', 0, [], ['does not contain "1.50"']],
  ['value: 007', 'My name is 007', 1, ['contains "007"'], []],
  ['value: 007', 'My name is 7', 0, [], ['does not contain "007"']],
  ['value: 1e3', 'about 1000', 0, [], ['does not contain "1e3"']],
  ['value: 0x1F', 'the byte 0x1F', 1, ['contains "0x1F"'], []],
  ['value: -0', 'from -0 on', 1, ['contains "-0"'], []],
  ['value: True', 'True story', 1, ['contains "True"'], []],
  ['value: True', 'true story', 0, [], ['does not contain "True"']],
  ['value: " a "', 'b a c', 1, ['contains " a "'], []],
  ['value: " a "', 'a', 0, [], ['does not contain " a "']],
  ['value: "a\\nb"', 'x a\nb', 1, ['contains "a↵b"'], []],
  ['value: "a\\nb"', 'x a\r\nb', 0, [], ['does not contain "a↵b"']],
  ['value: .*', 'anything', 0, [], ['does not contain ".*"']],
  ['value: .*', 'a.*b', 1, ['contains ".*"'], []],
  ['value: "it\'s"', "it's", 1, [`contains "it's"`], []],
  ['value: C:\\temp', 'in C:\\temp', 1, ['contains "C:\\temp"'], []],
  [`value: ${COMPOSED}`, DECOMPOSED, 0, [], [`does not contain "${COMPOSED}"`]],
  [`value: ${DECOMPOSED}`, `un ${DECOMPOSED}`, 1, [`contains "${DECOMPOSED}"`], []],
  ['value: 👍', 'Done 👍🏽', 1, ['contains "👍"'], []],
  ['value: 👍🏽', 'Done 👍', 0, [], ['does not contain "👍🏽"']],
  ['value: i', 'İ', 0, [], ['does not contain "i"']],
]

const icontains: Case[] = [
  ['value: alice', 'Hello ALICE!', 1, ['contains "alice"'], []],
  ['value: ALICE', 'hello alice', 1, ['contains "ALICE"'], []],
  ['value: bob', 'Hello ALICE!', 0, [], ['does not contain "bob"']],
  ['value: alice', '', 0, [], ['does not contain "alice"']],
  ['value: GRÖSSE', 'die größe', 1, ['contains "GRÖSSE"'], []],
  ['value: ÄRGER', 'viel ärger', 1, ['contains "ÄRGER"'], []],
  ['value: ẞ', 'ß', 1, ['contains "ẞ"'], []],
  ['value: 1E3', 'about 1e3', 1, ['contains "1E3"'], []],
  ['value: 1.50', '1.5', 0, [], ['does not contain "1.50"']],
  ['value: FALSE', 'that is false', 1, ['contains "FALSE"'], []],
  ['value: ISTANBUL', 'istanbul', 1, ['contains "ISTANBUL"'], []],
  ['value: İstanbul', 'in İSTANBUL', 1, ['contains "İstanbul"'], []],
  ['value: istanbul', 'İSTANBUL', 0, [], ['does not contain "istanbul"']],
  ['value: ΟΔΟΣ', 'οδος', 1, ['contains "ΟΔΟΣ"'], []],
  ['value: σ', 'ΟΔΟΣ', 1, ['contains "σ"'], []],
  ['value: ΟΔΟΣ', 'ΟΔΟΣΑ', 1, ['contains "ΟΔΟΣ"'], []],
  ['value: "A\\tB"', 'a\tb', 1, ['contains "A␉B"'], []],
  [`value: ${COMPOSED.toUpperCase()}`, DECOMPOSED, 0, [], [`does not contain "${COMPOSED.toUpperCase()}"`]],
]

const startsWith: Case[] = [
  ['value: Hello', 'Hello world', 1, ['starts with "Hello"'], []],
  ['value: Hello', ' \n\tHello world', 1, ['starts with "Hello"'], []],
  ['value: "  Hello  "', 'Hello world', 1, ['starts with "  Hello  "'], []],
  ['value: "Hello w"', 'Hello world', 1, ['starts with "Hello w"'], []],
  ['value: Hello', 'hello world', 0, [], ['does not start with "Hello"']],
  ['value: Hello', 'Say Hello', 0, [], ['does not start with "Hello"']],
  ['value: Hello', '', 0, [], ['does not start with "Hello"']],
  ['value: Hello', '   ', 0, [], ['does not start with "Hello"']],
  ['value: Hello', 'Hell', 0, [], ['does not start with "Hello"']],
  ['value: ^Hello', 'Hello', 0, [], ['does not start with "^Hello"']],
  ['value: 007', '007 is here', 1, ['starts with "007"'], []],
  ['value: 1.50', '1.5 is too much', 0, [], ['does not start with "1.50"']],
  ['value: Hello', '\ufeffHello', 1, ['starts with "Hello"'], []],
  ['value: Hello', '\u00a0Hello', 1, ['starts with "Hello"'], []],
  ['value: 🚀', '🚀 off we go', 1, ['starts with "🚀"'], []],
  ['value: "a\\nb"', 'a\nb\nc', 1, ['starts with "a↵b"'], []],
]

const endsWith: Case[] = [
  ['value: "?"', 'Who are you?', 1, ['ends with "?"'], []],
  ['value: "?"', 'Who are you?\n\n ', 1, ['ends with "?"'], []],
  ['value: " you? "', 'Who are you?', 1, ['ends with " you? "'], []],
  ['value: "?"', 'Who? Me.', 0, [], ['does not end with "?"']],
  ['value: END', 'the end', 0, [], ['does not end with "END"']],
  ['value: end', '', 0, [], ['does not end with "end"']],
  ['value: the end', 'end', 0, [], ['does not end with "the end"']],
  ['value: 1.50', 'it is 1.50', 1, ['ends with "1.50"'], []],
  ['value: 1.50', 'it is 11.50', 1, ['ends with "1.50"'], []],
  ['value: 007', 'agent 7', 0, [], ['does not end with "007"']],
  ['value: end$', 'end', 0, [], ['does not end with "end$"']],
  ['value: 🏽', '👍🏽', 1, ['ends with "🏽"'], []],
  [`value: ${COMPOSED}`, DECOMPOSED, 0, [], [`does not end with "${COMPOSED}"`]],
  ['value: "b\\r\\n"', 'a\r\nb', 1, ['ends with "b␍↵"'], []],
]

const equals: Case[] = [
  ['value: "yes"', 'yes', 1, ['equals "yes"'], []],
  ['value: "yes"', '\n  yes \t\n', 1, ['equals "yes"'], []],
  ['value: "  yes\\n"', 'yes', 1, ['equals "  yes↵"'], []],
  ['value: "yes"', 'Yes', 0, [], ['the answer is "Yes", expected "yes" (only upper and lower case differ)']],
  ['value: "yes"', 'yes.', 0, [], ['the answer is "yes.", expected "yes"']],
  ['value: "yes"', '', 0, [], ['the answer is empty, expected "yes"']],
  [
    'value: two words',
    'two  words',
    0,
    [],
    ['the answer is "two  words", expected "two words" (only white space differs)'],
  ],
  ['value: "a\\nb"', 'a\nb', 1, ['equals "a↵b"'], []],
  ['value: "a\\nb"', 'a\r\nb', 0, [], ['the answer is "a␍↵b", expected "a↵b" (only white space differs)']],
  ['value: 1.50', '1.50', 1, ['equals "1.50"'], []],
  ['value: 1.50', '1.5', 0, [], ['the answer is "1.5", expected "1.50"']],
  ['value: 007', '007', 1, ['equals "007"'], []],
  ['value: 007', '7', 0, [], ['the answer is "7", expected "007"']],
  ['value: true', 'true', 1, ['equals "true"'], []],
  ['value: "1.5"', '1.50', 0, [], ['the answer is "1.50", expected "1.5"']],
  [
    `value: ${COMPOSED}`,
    DECOMPOSED,
    0,
    [],
    [`the answer is "${DECOMPOSED}", expected "${COMPOSED}" (only the Unicode form differs)`],
  ],
  ['value: ❤', '❤\ufe0f', 0, [], ['the answer is "❤\ufe0f", expected "❤"']],
  ['value: 👩‍👧', ' 👩‍👧 ', 1, ['equals "👩‍👧"'], []],
]

const containsAny: Case[] = [
  ['value: [red, blue]', 'a red car', 1, ['contains "red"'], ['does not contain "blue"']],
  ['value: [red, blue]', 'red and blue', 1, ['contains "red"', 'contains "blue"'], []],
  ['value: [red, blue]', 'a green car', 0, [], ['does not contain "red"', 'does not contain "blue"']],
  ['value: [red, blue]', 'RED', 0, [], ['does not contain "red"', 'does not contain "blue"']],
  ['value: [red]', '', 0, [], ['does not contain "red"']],
  ['value: [1.50, 007]', 'agent 007', 1, ['contains "007"'], ['does not contain "1.50"']],
  ['value: [1.50, 1.5]', '1.5', 1, ['contains "1.5"'], ['does not contain "1.50"']],
  ['value: [true, 1]', 'true', 1, ['contains "true"'], ['does not contain "1"']],
  ['value: [" x", "y "]', 'x y', 0, [], ['does not contain " x"', 'does not contain "y "']],
  ['value: ["a\\nb", c]', 'a\nb', 1, ['contains "a↵b"'], ['does not contain "c"']],
  ['value: [🙂, 🙃]', 'upside down 🙃', 1, ['contains "🙃"'], ['does not contain "🙂"']],
  ['value: [red, red]', 'red', 1, ['contains "red"', 'contains "red"'], []],
]

const containsAll: Case[] = [
  ['value: [red, blue]', 'red and blue', 1, ['contains "red"', 'contains "blue"'], []],
  ['value: [blue, red]', 'red and blue', 1, ['contains "blue"', 'contains "red"'], []],
  ['value: [red, blue]', 'a red car', 0, ['contains "red"'], ['does not contain "blue"']],
  ['value: [red, blue]', 'Red and Blue', 0, [], ['does not contain "red"', 'does not contain "blue"']],
  ['value: [red, redder]', 'redder', 1, ['contains "red"', 'contains "redder"'], []],
  ['value: [red]', '', 0, [], ['does not contain "red"']],
  ['value: [1.50, 007]', '1.50 for 007', 1, ['contains "1.50"', 'contains "007"'], []],
  ['value: [1.50, 007]', '1.5 for 007', 0, ['contains "007"'], ['does not contain "1.50"']],
  ['value: [".", "*"]', 'a.b', 0, ['contains "."'], ['does not contain "*"']],
  ['value: [a, "\\n"]', 'a', 0, ['contains "a"'], ['does not contain "↵"']],
  [`value: [${COMPOSED}, e]`, DECOMPOSED, 0, ['contains "e"'], [`does not contain "${COMPOSED}"`]],
]

const icontainsAny: Case[] = [
  ['value: [Refund, money back]', 'You get a REFUND', 1, ['contains "Refund"'], ['does not contain "money back"']],
  ['value: [Refund, money back]', 'Money Back!', 1, ['contains "money back"'], ['does not contain "Refund"']],
  ['value: [refund]', 'no', 0, [], ['does not contain "refund"']],
  ['value: [refund]', '', 0, [], ['does not contain "refund"']],
  ['value: [TRUE, x]', 'true', 1, ['contains "TRUE"'], ['does not contain "x"']],
  ['value: [1E3, 1.50]', '1e3', 1, ['contains "1E3"'], ['does not contain "1.50"']],
  ['value: [É, x]', 'é', 1, ['contains "É"'], ['does not contain "x"']],
  ['value: [ИСТИНА]', 'истина', 1, ['contains "ИСТИНА"'], []],
  ['value: [Σ, x]', 'ΟΔΟΣ', 1, ['contains "Σ"'], ['does not contain "x"']],
  ['value: ["A\\nB"]', 'a\nb', 1, ['contains "A↵B"'], []],
]

const icontainsAll: Case[] = [
  ['value: [alice, BOB]', 'Alice and Bob', 1, ['contains "alice"', 'contains "BOB"'], []],
  ['value: [alice, BOB]', 'ALICE', 0, ['contains "alice"'], ['does not contain "BOB"']],
  ['value: [alice]', '', 0, [], ['does not contain "alice"']],
  ['value: [" bob"]', 'Bob', 0, [], ['does not contain " bob"']],
  ['value: [0XFF, 007]', '0xff 007', 1, ['contains "0XFF"', 'contains "007"'], []],
  ['value: [1.50]', '1.5', 0, [], ['does not contain "1.50"']],
  ['value: [Æ, Ø]', 'æ ø', 1, ['contains "Æ"', 'contains "Ø"'], []],
  ['value: [🙂, A]', 'a 🙂', 1, ['contains "🙂"', 'contains "A"'], []],
  ['value: [ΟΔΟΣ, Α]', 'ΟΔΟΣΑ', 1, ['contains "ΟΔΟΣ"', 'contains "Α"'], []],
  ['value: ["(", "]"]', '(]', 1, ['contains "("', 'contains "]"'], []],
]

const regex: Case[] = [
  ["value: '\\d{4}-\\d{2}'", 'in 2024-05', 1, ['matches /\\d{4}-\\d{2}/'], []],
  ['value: ^yes$', 'yes', 1, ['matches /^yes$/'], []],
  ['value: ^yes$', ' yes', 0, [], ['does not match /^yes$/']],
  ['value: ^b$', 'a\nb\nc', 0, [], ['does not match /^b$/']],
  ['value: ^b$, flags: m', 'a\nb\nc', 1, ['matches /^b$/m'], []],
  ['value: a.b', 'a\nb', 0, [], ['does not match /a.b/']],
  ['value: a.b, flags: s', 'a\nb', 1, ['matches /a.b/s'], []],
  ['value: HELLO', 'hello', 0, [], ['does not match /HELLO/']],
  ['value: HELLO, flags: i', 'hello', 1, ['matches /HELLO/i'], []],
  ['value: ^.$', '👍', 0, [], ['does not match /^.$/']],
  ['value: ^.$, flags: u', '👍', 1, ['matches /^.$/u'], []],
  ['value: "^\\\\p{L}+$", flags: u', 'größe', 1, ['matches /^\\p{L}+$/u'], []],
  ['value: "^\\\\u{1F44D}$", flags: u', '👍', 1, ['matches /^\\u{1F44D}$/u'], []],
  ['value: ^B.C$, flags: ims', 'a\nb\nc', 1, ['matches /^B.C$/ims'], []],
  ['value: k, flags: i', '\u212a', 0, [], ['does not match /k/i']],
  ['value: k, flags: iu', '\u212a', 1, ['matches /k/iu'], []],
  ['value: i, flags: iu', 'İ', 0, [], ['does not match /i/iu']],
  ['value: ^$', '', 1, ['matches /^$/'], []],
  ['value: x', '', 0, [], ['does not match /x/']],
  ['value: 42', 'the answer is 42', 1, ['matches /42/'], []],
  ['value: 1.50', '1x50', 1, ['matches /1.50/'], []],
  ['value: 007', '7', 0, [], ['does not match /007/']],
  ['value: (\\w+) \\1', 'so so', 1, ['matches /(\\w+) \\1/'], []],
  ['value: a(?!b), flags: i', 'AB', 0, [], ['does not match /a(?!b)/i']],
  ['value: "a{2,3}\\n"', 'baaa\n', 1, ['matches /a{2,3}↵/'], []],
  [`value: ${COMPOSED}`, DECOMPOSED, 0, [], [`does not match /${COMPOSED}/`]],
]

describe.each([
  ['contains', contains],
  ['icontains', icontains],
  ['starts_with', startsWith],
  ['ends_with', endsWith],
  ['equals', equals],
  ['contains_any', containsAny],
  ['contains_all', containsAll],
  ['icontains_any', icontainsAny],
  ['icontains_all', icontainsAll],
  ['regex', regex],
])('%s', (type, cases) => {
  it.each(cases)('%s on %j: %d', async (fields, answer, score, hits, misses) => {
    expect(await gradeOf(`{type: ${type}, ${fields}}`, answer)).toEqual({ score, hits, misses })
  })
})

describe('for any texts', () => {
  // Letters whose lower case depends on their context or has a different length.
  const odd = fc.string({
    unit: fc.constantFrom('Σ', 'σ', 'ς', 'İ', 'i', 'ı', 'ß', 'ẞ', 'K', 'k', 'a', ' '),
    maxLength: 5,
  })

  it('icontains follows from contains', async () => {
    const { evaluator } = await loadCheck('{type: icontains, value: x}')
    fc.assert(
      fc.property(odd, odd, odd, (before, value, after) => {
        fc.pre(value.trim() !== '')
        const answer = { text: before + value + after }
        expect(evaluator.grade?.({ value }, { answer } as Subject, {} as never)).toMatchObject({ score: 1 })
      }),
    )
  })

  it('equals and starts_with and ends_with agree', async () => {
    const checks = await Promise.all(
      ['equals', 'starts_with', 'ends_with'].map(type => loadCheck(`{type: ${type}, value: x}`)),
    )
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t'), maxLength: 6 })
    fc.assert(
      fc.property(text, text, (value, answer) => {
        fc.pre(value.trim() !== '')
        const grades = checks.map(({ evaluator }) =>
          evaluator.grade?.({ value }, { answer: { text: answer } } as Subject, {} as never),
        )
        const scores = grades.map(grade => (grade as { score: number }).score)
        const isEqual = value.trim() === answer.trim()
        expect(scores[0]).toBe(isEqual ? 1 : 0)
        if (isEqual) expect(scores).toEqual([1, 1, 1])
      }),
    )
  })
})
