import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncateMarkdown } from '../../scripts/action/truncate-markdown.mjs'
import { cpuTimeOf } from '../support/cpu-time.ts'

const NOTICE = '**cut**'

describe('truncateMarkdown', () => {
  it('keeps a text that fits', () => {
    expect(truncateMarkdown('a\nb\n', 4, NOTICE)).toBe('a\nb\n')
  })

  it('cuts at the end of a line, and keeps as much as fits', () => {
    expect(truncateMarkdown('one\ntwo\nthree is long\n', 18, NOTICE)).toBe('one\ntwo\n\n**cut**\n')
    expect(truncateMarkdown('one\ntwo\nthree is long\n', 16, NOTICE)).toBe('one\n\n**cut**\n')
    expect(truncateMarkdown(`${'x'.repeat(100)}\nshort`, 50, NOTICE)).toBe('**cut**\n')
  })

  it.each<[what: string, text: string, closed: string]>([
    ['details, also nested', '<details>\n<DETAILS open>\n', '<details>\n<DETAILS open>\n\n</details>\n\n</details>'],
    ['a code block', '```sh\n', '```sh\n```'],
    ['a code block with longer marks', '~~~~\n~~~\n', '~~~~\n~~~\n~~~~'],
    ['an HTML comment', '<!-- <details>\n', '<!-- <details>\n-->'],
    ['code in details', '<details>\n```\n</details>\n', '<details>\n```\n</details>\n```\n\n</details>'],
  ])('closes %s', (_, text, closed) => {
    expect(truncateMarkdown(`${text}${'y'.repeat(99)}`, 80, NOTICE)).toBe(`${closed}\n\n${NOTICE}\n`)
  })

  it('closes nothing that is closed', () => {
    const text = '```\n<details>\n```\n<details></details>\n<!-- a -->\n</details>\n'
    expect(truncateMarkdown(`${text}${'y'.repeat(99)}`, 80, NOTICE)).toBe(`${text}\n${NOTICE}\n`)
  })

  it('does not leave the head of a table without its second line', () => {
    const text = `text\n\n| a | b |\n|---|--:|\n${'| 1 | 2 |\n'.repeat(9)}`
    const at = (limit: number) => truncateMarkdown(text, limit, NOTICE).replace(`\n\n${NOTICE}\n`, '')
    expect(at('text\n\n| a | b |\n\n**cut**\n\n'.length)).toBe('text\n')
    expect(at('text\n\n| a | b |\n|---|--:|\n\n**cut**\n'.length)).toBe('text\n\n| a | b |\n|---|--:|')
  })

  it('never exceeds the limit, never splits a character, and always has the notice', () => {
    const line = fc.oneof(
      fc.constantFrom('```', '~~~~', '<details>', '</details>', '<!--', '-->', '| a |', '|---|', ''),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: NOTICE.length + 1, max: 400 }), (lines, limit) => {
        const text = lines.join('\n')
        const result = truncateMarkdown(text, limit, NOTICE)
        expect(result.length).toBeLessThanOrEqual(limit)
        expect(Buffer.from(result).toString()).toBe(result)
        if (result !== text) expect(result.endsWith(`${NOTICE}\n`)).toBe(true)
      }),
    )
  })

  it('cuts a text of many short lines in little time', async () => {
    const time = await cpuTimeOf(() =>
      expect(truncateMarkdown('\n'.repeat(2_000_000), 340_000, NOTICE).length).toBeLessThanOrEqual(340_000),
    )
    expect(time).toBeLessThan(5000)
  })
})
