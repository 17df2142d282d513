import { describe, expect, it } from 'vitest'
import { readSkillText, replaceDescription } from '../../../src/parse/skills/skill-description.ts'

const WRITTEN = [
  ['plain, with a comment', 'description: foo bar # c\n'],
  ['in double quotes', 'description: "a b"  # c\n'],
  ['in single quotes', "description: 'a ''b'\n"],
  ['folded', 'description: >-\n  a\n  b\n\n'],
  ['literal, with an indentation', 'description: |2-\n   a\n'],
  ['folded, with an empty line', 'description: >\n  a\n\n  b\n'],
  ['on several lines', 'description: foo\n  bar\n  baz\n'],
  ['below its key', 'description:\n  foo\n  bar\n'],
  ['not as valid YAML', 'description: Use when: x\n'],
] as const

const TEXTS = [
  ...[
    'plain',
    'with: colon',
    `it's "quoted"`,
    '# hash',
    'ends:',
    '- dash',
    'ünï 日本 🎉',
    'a # b',
    '123',
    'true',
    '{x}',
  ],
  ...['&a', '*b', '%x', '@x', "'", '\\n back', '---', '...', 'null', '~', '? q', '| x', '> y', 'x'.repeat(1024)],
]

describe('replaceDescription', () => {
  it.each(WRITTEN)('replaces a description written %s, and keeps the rest', (_, written) => {
    for (const end of ['\n', '\r\n']) {
      const text = `\uFEFF---\nname: x-y\n${written}license: MIT # keep\n---\n# Body\n---\n`.replaceAll('\n', end)
      const start = text.slice(0, text.indexOf('description'))
      const rest = text.slice(text.indexOf('license'))
      for (const wanted of TEXTS) {
        const replaced = replaceDescription(text, wanted)
        expect(replaced?.startsWith(start)).toBe(true)
        expect(replaced?.endsWith(rest)).toBe(true)
        expect(readSkillText(replaced ?? '')).toMatchObject({ name: 'x-y', description: wanted })
      }
    }
  })

  it('keeps the style if that can hold the text', () => {
    const replaced = (written: string) => replaceDescription(`---\ndescription: ${written}\n---\n`, "a 'new' one")
    expect(replaced('old')).toBe("---\ndescription: a 'new' one\n---\n")
    expect(replaced("'old'")).toBe("---\ndescription: 'a ''new'' one'\n---\n")
    expect(replaced('>-\n  old\n  text')).toBe("---\ndescription: >-\n  a 'new' one\n---\n")
  })

  it('refuses to change another field, and texts without a description', () => {
    expect(replaceDescription('---\ndescription: &a foo\nother: *a\n---\n', 'new')).toBeUndefined()
    expect(replaceDescription('---\nname: x\n---\n', 'new')).toBeUndefined()
    expect(replaceDescription('# No frontmatter\n', 'new')).toBeUndefined()
  })
})
