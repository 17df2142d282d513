import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksLikeMarkdown, readMarkdown } from '../../src/view/parts/markdown/read-markdown.ts'
import { anyText } from '../support/hostile-texts.ts'

describe('Markdown of answers', () => {
  it('never throws', () => {
    fc.assert(fc.property(anyText, text => void readMarkdown(text)))
  })

  it('keeps every character of a text without Markdown', () => {
    const [only] = readMarkdown('Within 30 days, with the receipt.') ?? []
    expect(only?.type === 'paragraph' && only.text).toBe('Within 30 days, with the receipt.')
  })

  it('is not read if it is too long or too deeply nested', () => {
    expect(readMarkdown('a'.repeat(100_001))).toBeUndefined()
    expect(readMarkdown('>'.repeat(20_000))).toBeUndefined()
  })

  it('does not search very long paragraphs for emphasis, which would take minutes', () => {
    const [only] = readMarkdown('_a_'.repeat(30_000)) ?? []
    expect(only?.type === 'paragraph' && only.tokens.length).toBe(1)
  })

  it.each([
    ['# Heading', true],
    ['- one\n- two', true],
    ['Some **bold** text', true],
    ['Within 30 days, with the receipt.', false],
    ['{"a": 1}', false],
  ])('%j looks like Markdown: %s', (text, isMarkdown) => {
    expect(looksLikeMarkdown(text)).toBe(isMarkdown)
  })
})
