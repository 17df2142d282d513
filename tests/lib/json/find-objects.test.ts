import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonObjects, findJsonObjectsOnLines } from '../../../src/lib/json/find-objects.ts'
import { examples } from '../../support/random-examples.ts'

function objectsIn(text: string): unknown[] {
  return [...findJsonObjects(text)].map(object => JSON.parse(object))
}

describe('objects among other text', () => {
  it.each<[text: string, objects: unknown[]]>([
    ['', []],
    ['no braces', []],
    ['{}', [{}]],
    ['{"score": 1}', [{ score: 1 }]],
    ['Loading...\n{"score": 1}\nDone.', [{ score: 1 }]],
    ['score={"score": 1};', [{ score: 1 }]],
    ['{\n  "score": 0.5,\n  "hits": [\n    "a"\n  ]\n}\n', [{ score: 0.5, hits: ['a'] }]],
    ['{"score": 0}\n{"score": 1}', [{ score: 0 }, { score: 1 }]],
    ['{"score": 0}{"score": 1}', [{ score: 0 }, { score: 1 }]],
    ['{"result": {"score": 1}}', [{ result: { score: 1 } }]],
    ['{"score": 0, "details": {"score": 1}}', [{ score: 0, details: { score: 1 } }]],
    ['[{"score": 1}, {"score": 0}]', [{ score: 1 }, { score: 0 }]],
    ['```json\n{"score": 1}\n```', [{ score: 1 }]],
    ['{"a": "}"} {"b": "{"}', [{ a: '}' }, { b: '{' }]],
    ['{"a": "\\"}"}', [{ a: '"}' }]],
    ['{"a": "\\\\"}', [{ a: '\\' }]],
    ['{x} {"score": 1}', [{ score: 1 }]],
    ['function () { return } {"score": 1}', [{ score: 1 }]],
    ['{\'score\': 1} {"score": 0}', [{ score: 0 }]],
    ['{{"score": 1}}', [{ score: 1 }]],
    ['} {"score": 1} {', [{ score: 1 }]],
    ['it says "{" and {"score": 1}', [{ score: 1 }]],
    ['an open " and {"score": 1}', [{ score: 1 }]],
    ['{"score": 1', []],
    ['{"score": "1}', []],
    ['{"score": 1,}', []],
    ['{"score": 01}', []],
    ['{"score": NaN}', []],
    ['{"score": .5}', []],
    ['{"score" 1}', []],
    ['{"a": "line\nbreak"}', []],
    ['{"a": "\\x"}', []],
    ['{"a": [1, 2}', []],
    ['{"a": "\ud800", "b": "\\ud800"}', [{ a: '\ud800', b: '\ud800' }]],
    ['\u0000\u001b[32m{"score": 1}\u001b[0m', [{ score: 1 }]],
    ['\ufeff{"score": 1}', [{ score: 1 }]],
    ['{"a": 1e400}', [{ a: Number.POSITIVE_INFINITY }]],
    ['{"a": -0.5E-3, "b": true, "c": null}', [{ a: -0.0005, b: true, c: null }]],
    ['{"log": "cut\n{"score": 1}', [{ score: 1 }]],
    ['{"step": 1,\n{"score": 1}', [{ score: 1 }]],
  ])('%j', (text, objects) => {
    expect(objectsIn(text)).toEqual(objects)
  })

  it('keeps a key named __proto__ as a key', () => {
    const [object] = objectsIn('{"__proto__": {"score": 1}}')
    expect(Object.keys(object as object)).toEqual(['__proto__'])
    expect(object).not.toHaveProperty('score')
  })

  it.each([
    ['on the same line', '{"step": ...} {"score": 1}'],
    ['on a line that begins with a word', '{"step": ...}\nresult: {"score": 1}'],
    ['on a line that is indented', '{"step": ...}\n  {"score": 1}'],
  ])('finds an object %s after an incomplete one', (_, text) => {
    expect(objectsIn(text)).toEqual([{ score: 1 }])
  })
})

describe('objects that begin a line', () => {
  it.each<[text: string, objects: unknown[]]>([
    ['', []],
    ['{"a": 1}', [{ a: 1 }]],
    ['a\n{"b": 1} c\r{\n  "d": {\n    "e": 1\n  }\n}', [{ b: 1 }, { d: { e: 1 } }]],
    ['a {"b": 1}\n  {"c": 1}', []],
    ['{"a": oops,\n{"b": 1}\n}', [{ b: 1 }]],
    ['{"a": [\n{"b": 1},\n{"c": 1}\n], oops', [{ b: 1 }, { c: 1 }]],
    ['{\n{\n{"a": 1}', [{ a: 1 }]],
    ['{"a": "cut\n{"b": 1}', [{ b: 1 }]],
  ])('%j', (text, objects) => {
    const found = [...findJsonObjectsOnLines(text)].map(([start, end]) => JSON.parse(text.slice(start, end)))
    expect(found).toEqual(objects)
  })
})

describe('for any objects', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  const noise = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '[', ']', ',', ':', '\\', '1', '\n', '😀') })

  it('each is found between lines of noise without braces, however it is laid out', () => {
    const printed = fc.tuple(object, fc.constantFrom(undefined, 2, '\t'), noise)
    fc.assert(
      fc.property(noise, fc.array(printed, { maxLength: 4 }), (before, objects) => {
        const text = objects
          .map(([object, space, after]) => `${JSON.stringify(object, null, space)}\n${after}\n`)
          .join('')
        const expected = objects.map(([object]) => JSON.parse(JSON.stringify(object)))
        expect(objectsIn(`${before}\n${text}`)).toEqual(expected)
      }),
      { numRuns: examples(500) },
    )
  })

  it('every object found is JSON, whatever was damaged', () => {
    const damage = fc.constantFrom('', '{', '}', '"', ',', ':', '\\', '\n{')
    fc.assert(
      fc.property(fc.array(object), fc.nat(), damage, (objects, at, noise) => {
        const text = objects.map(object => JSON.stringify(object)).join('\n')
        const cut = at % (text.length + 1)
        for (const found of objectsIn(text.slice(0, cut) + noise + text.slice(cut + 1))) {
          expect(typeof found).toBe('object')
        }
      }),
      { numRuns: examples(500) },
    )
  })
})

describe('hostile texts of half a million characters', () => {
  const fill = (part: string) => part.repeat(Math.ceil(500_000 / part.length))

  it.each([
    ['opening braces', fill('{')],
    ['closing braces', fill('}')],
    ['braces and quotes', fill('{"')],
    ['braces and blanks', fill('{ ')],
    ['braces and line breaks', fill('{\n')],
    ['objects that never end', fill('{"a":')],
    ['objects on lines that never end', fill('{"a":\n')],
    ['objects in lists that never end', fill('{"a":[')],
    ['objects that break off', fill('{"a":1,')],
    ['lines that break off', fill('{"a":1,\n')],
    ['escapes that are none', fill('{"a":"\\')],
    ['a string that is never closed, deep inside', `${'{"a":'.repeat(10_000)}"${fill('x')}`],
    ['an unclosed string after many lines', `${'{"a":\n'.repeat(10_000)}"${fill('x')}`],
    ['spaces after a brace', `{${fill(' ')}`],
  ])('finds no object: %s', (_, text) => {
    expect(findJsonObjects(text).next().done).toBe(true)
  })

  it('finds an object after incomplete lines', () => {
    expect(objectsIn(`${fill('{"a":1,\n')}\n{"score": 1}`)).toEqual([{ score: 1 }])
  })

  it('finds an object that is nested a million times as one', () => {
    const text = `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`
    expect([...findJsonObjects(text)].map(object => object.length)).toEqual([text.length])
  })
})
