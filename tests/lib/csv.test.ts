import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../src/lib/csv.ts'
import { hugeSize } from '../support/random-examples.ts'

/** The values of every record. Throws at a problem. */
function valuesOf(text: string): (readonly string[])[] {
  return [...parseCsv(text)].map(record => {
    if ('problem' in record) throw new Error(record.problem)
    return record.values
  })
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`
}

describe('parseCsv', () => {
  it('reads quotes, line breaks in quotes, empty fields and a byte order mark', () => {
    const text = '\uFEFFa,b\r\n"x, ""y""","1\r\n2"\n,\n"",z'
    expect(valuesOf(text)).toEqual([
      ['a', 'b'],
      ['x, "y"', '1\r\n2'],
      ['', ''],
      ['', 'z'],
    ])
  })

  it.each(['\n', '\r\n', '\r'])('ends lines with %j and skips empty ones', lineBreak => {
    expect(valuesOf(['a', '', 'b', ''].join(lineBreak))).toEqual([['a'], ['b']])
  })

  it('reads back whatever is written in quotes', () => {
    const table = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), { minLength: 1 })
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, lineBreak) => {
        const text = rows.map(row => row.map(quoted).join(',')).join(lineBreak)
        expect(valuesOf(text)).toEqual(rows)
      }),
    )
  })

  it('locates each field', () => {
    const [record] = parseCsv('"a, b",,c\n')
    expect(record).toEqual({ values: ['a, b', '', 'c'], starts: [0, 7, 8], end: 9 })
  })

  it.each([
    ['a,"b\nc', 2, 'never closed'],
    ['a\n5" pipe', 3, 'not in quotes'],
    ['"a"b', 3, 'after the closing'],
  ])('reports a problem in %j at its offset', (text, offset, words) => {
    const problem = [...parseCsv(text)].at(-1)
    expect(problem).toEqual({ problem: expect.stringContaining(words), offset })
  })

  it('reads a field of 20 MB with as many quotes in linear time', () => {
    const value = '"'.repeat(hugeSize(10_000_000))
    expect(valuesOf(`a,${quoted(value)}`)).toEqual([['a', value]])
  })
})
