import { describe, expect, it } from 'vitest'
import { fillSomeTemplates, fillTemplates, findTemplates, soleTemplate } from '../../src/lib/text/template.ts'

describe('templates', () => {
  it('fills in names, keeps escaped ones, and leaves other braces alone', () => {
    const fill = (name: string) => `<${name}>`
    expect(fillTemplates('{{a}} {{ b c }} \\{{d}} {e} {{f {g}}} {{{h}}} {{', fill)).toBe(
      '<a> <b c> {{d}} {e} {{f {g}}} {<h>} {{',
    )
  })

  it('never fills in what it has inserted', () => {
    expect(fillTemplates('{{a}}{{b}}', name => (name === 'a' ? '{{b}}' : '{{a}}'))).toBe('{{b}}{{a}}')
    // A pattern of `replace` in a value is a text too.
    expect(fillTemplates('{{a}}', () => "$& $1 $'")).toBe("$& $1 $'")
  })

  it('fills in some, so that the values stay literal when the others follow', () => {
    const values: Record<string, string> = { a: 'x {{answer}} \\{{answer}} {{' }
    const once = fillSomeTemplates('{{a}} {{answer}} \\{{a}}', name => values[name])
    expect(fillTemplates(once, () => '42')).toBe('x {{answer}} \\{{answer}} {{ 42 {{a}}')
  })

  it('finds each template of a name, also over a folded line', () => {
    expect(findTemplates('{{a}} {{b}} \\{{a}} {{ a }}', 'a')).toEqual([
      { start: 0, end: 5 },
      { start: 19, end: 26 },
    ])
    expect(findTemplates('{{first\n   name}}', 'first name')).toEqual([{ start: 0, end: 17 }])
  })

  it.each([
    ['{{ a }}', 'a'],
    [' {{a}}', undefined],
    ['{{a}}{{b}}', undefined],
    ['\\{{a}}', undefined],
  ])('recognises %j as one template: %j', (text, name) => {
    expect(soleTemplate(text)).toBe(name)
  })
})
