import { describe, expect, it } from 'vitest'
import { printable, printableLine } from '../../../src/lib/text/escape.ts'
import { quoteCode, singleLine } from '../../../src/lib/text/quote.ts'

describe('printable', () => {
  it('replaces control characters by visible ones', () => {
    expect(printable('a\u001b[31mb\u0007\u007f\u009b')).toBe('a␛[31mb␇␡\ufffd')
    expect(printable('\u202eevil')).toBe('\ufffdevil')
  })
})

describe('a text on one line', () => {
  it('has a mark for each line break, never an escape', () => {
    expect(printableLine('a\nb\r\nc\td')).toBe('a↵b␍↵c\td')
    expect(singleLine('a\nb\r\nc\td')).toBe('a↵b␍↵c␉d')
    expect(quoteCode('a\nb')).toBe('`a↵b`')
  })

  it('keeps an escape that is part of the text', () => {
    expect(printableLine('^a\\nb$')).toBe('^a\\nb$')
    expect(singleLine('^a\\nb$')).toBe('^a\\nb$')
  })
})
