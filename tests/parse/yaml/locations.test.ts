import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { dump, load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { jsonLineTree, readJsonLine } from '../../../src/parse/yaml/json-line.ts'
import { ROOT } from '../../../src/parse/yaml/outline.ts'
import { readYaml } from '../../../src/parse/yaml/read-yaml.ts'
import { examples } from '../../support/random-examples.ts'

type Path = (string | number)[]

/** Every scalar in a value with its path. */
function scalars(value: unknown, path: Path = []): [Path, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => scalars(item, [...path, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => scalars(item, [...path, key]))
  return [[path, value]]
}

const key = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
  .filter(text => text !== '__proto__' && text !== '<<')
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const tree = fc.letrec(tie => ({
  node: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('node'), { minLength: 1 }),
    fc.dictionary(key, tie('node'), { minKeys: 1, noNullPrototype: true }),
  ),
})).node

describe('the location of every scalar is that of its text', () => {
  it('in YAML of every style', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(-1, 0, 1, 2), fc.boolean(), (value, flowLevel, forceQuotes) => {
        const text = dump(value, { flowLevel, forceQuotes, noRefs: true })
        const { document, problems } = readYaml(text)
        expect(problems).toEqual([])
        expect(document?.value).toEqual(load(text))
        const misplaced = scalars(document?.value).filter(([path, expected]) => {
          const found = document?.tree.find(ROOT, path)
          const span = document?.tree.span(found?.node ?? 0)
          const written = text.slice(span?.start, span?.end)
          // The location of a block scalar is its `|` or `>`, and otherwise the text itself.
          const isBlock = /^[|>][-+\d]*$/.test(written) && written !== expected
          return !found?.complete || !(isBlock || isDeepStrictEqual(load(written), expected))
        })
        expect(misplaced).toEqual([])
      }),
      { numRuns: examples(250) },
    )
  })

  it('in a line of JSON', () => {
    fc.assert(
      fc.property(tree, value => {
        const text = JSON.stringify(value)
        expect(readJsonLine(text)).toEqual({ value: JSON.parse(text) })
        const places = jsonLineTree(text)
        const misplaced = scalars(JSON.parse(text)).filter(([path, expected]) => {
          const { node, complete } = places.find(ROOT, path)
          const span = places.span(node)
          return !complete || !isDeepStrictEqual(JSON.parse(text.slice(span?.start, span?.end)), expected)
        })
        expect(misplaced).toEqual([])
      }),
      { numRuns: examples(250) },
    )
  })
})

describe('rejected texts', () => {
  it.each([
    ['two equal keys in JSON', '{"a": {"b": 1, "b": 2}}', ['duplicate-key']],
    ['equal keys that are written differently', '{"ab": 1, "\\u0061b": 2}', ['duplicate-key']],
    ['__proto__ in JSON', '{"__proto__": {"a": 1}}', ['unsafe-yaml']],
    ['depth in JSON', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, ['unsafe-yaml']],
  ])('%s', (_, line, codes) => {
    const read = readJsonLine(line)
    expect('problems' in read ? read.problems.map(({ code }) => code) : []).toEqual(codes)
  })

  it('does not count colons and quotes inside strings as keys', () => {
    expect(readJsonLine('{"a:b": "c\\": \\\\", "d": ["e:f"]}')).toEqual({ value: { 'a:b': 'c": \\', d: ['e:f'] } })
  })

  it.each([
    ['depth', '['.repeat(20_000)],
    ['deep flow mappings', '{a: '.repeat(20_000)],
    ['deep block', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
    ['__proto__', '"__proto__": {a: 1}\n'],
    ['__proto__ through a merge', 'a: &a {"__proto__": 1}\nb: {<<: *a}\n'],
    ['an alias in itself', 'a: &a [1, *a]\n'],
    [
      'laughter',
      `${Array.from(
        { length: 12 },
        (_, level) =>
          `a${level}: &a${level} [${
            level
              ? Array(9)
                  .fill(`*a${level - 1}`)
                  .join(', ')
              : 'lol'
          }]`,
      ).join('\n')}\n`,
    ],
    [
      'merges that multiply',
      `base: &b {${Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(', ')}}\n${Array.from({ length: 2000 }, (_, index) => `m${index}: {<<: *b}`).join('\n')}\n`,
    ],
  ])('%s', (_, text) => {
    expect(readYaml(text).problems.map(({ code }) => code)).toEqual(['unsafe-yaml'])
  })

  it('accepts thousands of aliases of one small node', () => {
    const text = `a: &a {x: 1, y: 2}\nb:\n${'  - *a\n'.repeat(50_000)}c:\n${'  - {<<: *a}\n'.repeat(50_000)}`
    expect(readYaml(text).problems).toEqual([])
  })
})
