import { describe, expect, it } from 'vitest'
import { contentWords, wordOverlap } from '../../../src/lib/text/word-overlap.ts'

const overlap = (a: string, b: string) => wordOverlap(contentWords(a), contentWords(b))

describe('contentWords', () => {
  it.each([
    ['create', 'creates', 'creating', 'created'],
    ['file', 'files'],
    ['query', 'queries'],
    ['fix', 'fixes', 'fixing', 'fixed'],
    ['analysis'],
    ['process', 'processes', 'processing'],
    ['format', 'formats', 'formatting', 'formatted'],
  ])('treats the forms of %s as one word', (...forms) => {
    expect(contentWords(forms.join(' ')).size).toBe(1)
  })

  it('leaves out words that every description has', () => {
    expect([...contentWords('Use this skill when the user asks for help with PDF files').values()]).toEqual([
      'pdf',
      'files',
    ])
  })

  it('keeps words of other scripts', () => {
    expect([...contentWords('Отчёты по продажам 売上').values()]).toEqual(['отчёты', 'по', 'продажам', '売上'])
  })
})

describe('wordOverlap', () => {
  it('is 1 for the same words in another order and form, and 0 for other words', () => {
    expect(overlap('Writes release notes', 'notes for releases, written: write').share).toBeGreaterThan(0.8)
    expect(overlap('Writes commit messages', 'Draws charts of sales').share).toBe(0)
  })

  it('is 0 without words', () => {
    expect(overlap('', '')).toEqual({ share: 0, words: [] })
    expect(overlap('the of and', 'Draws charts').share).toBe(0)
  })

  it('lists the shared words of the first text in its order', () => {
    expect(overlap('Draws charts from CSV files', 'CSV file charting and charts').words).toEqual([
      'charts',
      'csv',
      'files',
    ])
  })
})
