import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { dump, parseEvents } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { readYaml } from '../../../src/parse/yaml/read-yaml.ts'
import { readSimpleYaml, type SimpleYaml } from '../../../src/parse/yaml/simple-yaml.ts'
import { YamlTree } from '../../../src/parse/yaml/yaml-tree.ts'
import { examples } from '../../support/random-examples.ts'

/** Expects what js-yaml reads, if the text is simple. Returns whether it is. */
function expectAsInJsYaml(text: string): boolean {
  const simple = readSimpleYaml(text)
  if (simple) expect(simplified(simple)).toEqual(readByJsYaml(text))
  return simple !== undefined
}

/** The JSON also shows the order of keys. */
function simplified({ value, outline }: SimpleYaml) {
  const starts = Array.from({ length: outline.length }, (_, node) => outline.start(node, []))
  return { problems: [], value, json: JSON.stringify(value), starts }
}

function readByJsYaml(text: string) {
  const { document, problems } = readYaml(text)
  const value = document?.value
  const tree = new YamlTree(text, document ? parseEvents(text, {}) : [])
  const starts = Array.from(
    { length: document ? parseEvents(text, {}).length : 0 },
    (_, node) => tree.span(node)?.start,
  )
  return { problems, value, json: JSON.stringify(value), starts }
}

/** The YAML files of the corpus and of the examples. */
const TEXTS = ['tests/corpus', 'examples']
  .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
  .filter(path => /\.ya?ml$/.test(path))
  .map(path => readFileSync(path, 'utf8'))

/** A list of mappings with literal blocks. */
const literals = (...contents: readonly string[]) => contents.map(content => `- a:\n    b: |\n${content}`).join('')

/** Mappings in mappings, with a column for each level. */
function nested(depth: number, from: number, within: string): string {
  const lines = Array.from({ length: depth }, (_, level) => `${' '.repeat(from + level)}k${from + level}:\n`)
  return `${lines.join('')}${' '.repeat(from + depth)}${within}`
}

/** A block of 40 levels, and the same one within 20 others. */
function deepRepeats(): string {
  const block = nested(40, 30, 'x: 1\n')
  return `a:\n  r:\n${block}b:\n${nested(20, 2, `r:\n${block}`)}`
}

const PIECES = [
  ...['\n', ' ', '  ', '\t', '\r', '\n  ', '\n    ', '\n- ', '\n  - ', ':', ': ', 'a: ', 'a:\n', 'b: c\n', '- ', '-'],
  ...[
    '#',
    ' # c',
    '"',
    "'",
    "''",
    '\\',
    '\\n',
    '\\x41',
    '\\u0041',
    '|',
    '|-',
    '|\n',
    '>',
    '[',
    ']',
    '[a, b]',
    '{',
    '}',
  ],
  ...[
    ',',
    '&a ',
    '*a',
    '!x ',
    '%',
    '@',
    '?',
    '? ',
    '0',
    '7',
    '1.5',
    '1e3',
    '0x1f',
    '-1',
    '.5',
    '+',
    '~',
    'true',
    'null',
  ],
  ...['<<: ', '---\n', '...', '=', '__proto__: 1\n', 'constructor: 1\n', '\u2028', '\u0085', '\ufeff', '😀', 'é', '\0'],
]

describe('simple YAML', () => {
  it('is what js-yaml reads, in the corpus and the examples', () => {
    const simple = TEXTS.filter(text => expectAsInJsYaml(text))
    expect(simple.length).toBeGreaterThan(100)
  })

  it('is what js-yaml reads, in texts with random edits', () => {
    const simple = TEXTS.filter(text => readSimpleYaml(text) !== undefined)
    const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 4 }), added: fc.constantFrom('', ...PIECES) })
    fc.assert(
      fc.property(fc.constantFrom(...simple), fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        let edited = text.slice(0, 1000)
        for (const { at, removed, added } of edits) {
          const offset = at % (edited.length + 1)
          edited = edited.slice(0, offset) + added + edited.slice(offset + removed)
        }
        expectAsInJsYaml(edited)
      }),
      { numRuns: examples(10_000) },
    )
  })

  it('is what js-yaml reads, in texts with repeated parts', () => {
    const block = fc.array(
      fc.constantFrom(
        ...['      b: c\n', '      c: |\n        x\n', '        y\n', '\n', '      # d\n'],
        ...['        # e\n', '        \n', '          \n'],
      ),
      { minLength: 1, maxLength: 3 },
    )
    const parts = fc.array(block, { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(parts, parts, fc.constantFrom('    z: 1\n', ''), (some, others, more) => {
        const item = (lines: readonly string[]) => `  - a:\n${lines.join('')}${more}`
        expectAsInJsYaml(`t:\n${[...some, ...some, ...others, ...some].map(item).join('')}`)
      }),
      { numRuns: examples(3000) },
    )
  })

  it('is what js-yaml reads, in random lines', () => {
    const scalars = fc.constantFrom('', 'x', 'x y', '"x"', "'x'", '7', '7 x', 'true', '|', '|-', '[a, b]', ...PIECES)
    const line = fc
      .tuple(
        fc.constantFrom('', '  ', '    '),
        fc.constantFrom('', '- ', '- - '),
        fc.constantFrom('', 'a: ', 'b: ', 'c:'),
      )
      .chain(parts => scalars.map(scalar => `${parts.join('')}${scalar}\n`))
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), lines => {
        expectAsInJsYaml(lines.join(''))
        expectAsInJsYaml(lines.join('').trimEnd())
      }),
      { numRuns: examples(20_000) },
    )
  })

  it('is what js-yaml reads, in what it writes itself', () => {
    const value = fc.object({
      key: fc.constantFrom('a', 'b', 'name', 'true', 'x-y', '7'),
      values: [fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...PIECES), fc.integer(), fc.double()],
    })
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 4 }), fc.boolean(), (written, indent, forceQuotes) => {
        expectAsInJsYaml(dump(written, { indent, forceQuotes, noRefs: true }))
      }),
      { numRuns: examples(2000) },
    )
  })

  it.each([
    ['a list of tests', 'tests:\n  - id: a\n    input: "x \\"y\\""\n    assert:\n    - type: contains # text\n'],
    ['a list at the column of its key', 'a:\n- x\n- y\nb: 1\n'],
    ['blocks', 'a: |\n  x\n\n    y\nb: |-\n  z\n\nc: d\n'],
    ['comments and blank lines', '# a\n\na: b # c\n  # d\nb: c#d\n'],
    ['values without quotes', 'a: 0.5\nb: true\nc:\nd: 3 apples\ne: http://x.y\nf: [x, y-z]\n'],
    ['no newline at the end', 'a:\n  - b: c'],
    ['equal blocks', '- a:\n    - b: [c, d]\n\n- a:\n    - b: [c, d]\n\n- a:\n    - b: [c, d]\n'],
    ['blocks that begin alike', '- a:\n    b: |\n      x\n- a:\n    b: |\n      x\n      y\n- a:\n    b: |\n      x\n'],
    ['blocks that begin alike, before what looks like a comment', literals('      x\n', '      x\n      # y\n')],
    ['blocks with more behind them', '- a:\n    b: c\n- a:\n    b: c\n    d: e\n'],
  ])('has %s', (_, text) => {
    expect(expectAsInJsYaml(text)).toBe(true)
  })

  it.each([
    ['duplicate keys', 'a: 1\na: 2\n'],
    ['keys of all objects', 'toString: 1\n'],
    ['keys that are not strings', 'true: 1\n'],
    ['lines that continue a scalar', 'a: b\n  c\n'],
    ['mappings and lists on one line', 'a: {b: c}\n'],
    ['anchors', 'a: &a b\n'],
    ['two documents', 'a: b\n---\na: b\n'],
    ['tabs', 'a:\tb\n'],
    ['a key in a value', 'a: b: c\n'],
    ['wrong indentation', 'a:\n    - b\n  - c\n'],
    ['deep nesting', Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
    ['deep nesting of repeated blocks', deepRepeats()],
    ['a scalar alone', 'a\n'],
    ['blocks that begin alike, before spaces', literals('      x\n', '      x\n        \n')],
    ['an empty text', ''],
  ])('does not have %s', (_, text) => {
    expect(readSimpleYaml(text)).toBeUndefined()
  })
})

describe('the outline of simple YAML', () => {
  const text = 'a:\n  - b: 1.50 # x\n    c: [d, e]\n  - f\nab: true\n'
  const outline = readSimpleYaml(text)?.outline

  it('finds nodes by their paths', () => {
    expect(outline?.start(1, ['a', 0, 'b'])).toBe(text.indexOf('1.50'))
    expect(outline?.start(1, ['a', 1])).toBe(text.indexOf('f\n'))
    expect(outline?.start(1, ['ab'])).toBe(text.indexOf('true'))
    for (const path of [['b'], ['a', 2], ['a', -1], ['a', 'x'], ['a', 0, 'b', 'c']]) {
      expect(outline?.start(1, path)).toBeUndefined()
    }
  })

  it('lists the items of a list', () => {
    const [first = 0] = outline?.items(1, ['a']) ?? []
    expect(outline?.items(1, ['a'])).toHaveLength(2)
    expect(outline?.start(first, ['c'])).toBe(text.indexOf('['))
    expect(outline?.items(first, ['c'])).toHaveLength(2)
    expect(outline?.items(1, [])).toBeUndefined()
    expect(outline?.items(1, ['ab'])).toBeUndefined()
  })

  it('knows how numbers and booleans are written', () => {
    expect(outline?.written(1, ['a', 0, 'b'])).toBe('1.50')
    expect(outline?.written(1, ['ab'])).toBe('true')
    expect(outline?.written(1, ['a', 1])).toBeUndefined()
    expect(outline?.written(1, ['a', 0, 'c', 1])).toBeUndefined()
  })
})
