import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseNumber } from '../../src/lib/numbers.ts'

describe('numbers as people write them', () => {
  it.each<[written: string, number: number]>([
    ['0', 0],
    ['7', 7],
    ['007', 7],
    ['1200.5', 1200.5],
    ['5.', 5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['+5', 5],
    ['-5', -5],
    ['- 5', -5],
    ['\u22125', -5],
    ['  5\n', 5],
    ['\u00a05', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['2.5e+2', 250],
    ['1,200', 1200],
    ['1,200.50', 1200.5],
    ['1,200.', 1200],
    ['-1,200.50', -1200.5],
    ['12,345,678.9', 12_345_678.9],
    ['1,20,000', 120_000],
    ['12,00,000', 1_200_000],
    ['12,00,000.50', 1_200_000.5],
    ['1.200,50', 1200.5],
    ['-1.200,50', -1200.5],
    ['1.200.300', 1_200_300],
    ['1.200.300,5', 1_200_300.5],
    ['0,125', 0.125],
    ['1,5', 1.5],
    ['12,00', 12],
    ['1234,5', 1234.5],
    ['1 200', 1200],
    ['1 200 300', 1_200_300],
    ['1 200,50', 1200.5],
    ['1 200.50', 1200.5],
    ['1\u00a0200', 1200],
    ['1\u202f200,5', 1200.5],
    ["1'200.50", 1200.5],
    ['1’200', 1200],
    ['1_000_000', 1_000_000],
    ['$1,200', 1200],
    ['$ 1,200', 1200],
    ['-$1,200', -1200],
    ['$-5', -5],
    ['1.200,50 €', 1200.5],
    ['£0.99', 0.99],
    ['EUR 5', 5],
    ['5 USD', 5],
    ['-USD 5', -5],
    ['12%', 12],
    ['12 %', 12],
    ['-0.5%', -0.5],
    ['(1,200)', -1200],
    ['($5.50)', -5.5],
  ])('%j is %d', (written, number) => {
    expect(parseNumber(written)).toBe(number)
  })
})

describe('not a number', () => {
  it.each([
    [''],
    [' '],
    ['.'],
    ['-'],
    ['$'],
    ['%'],
    ['USD'],
    ['()'],
    ['12abc'],
    ['abc12'],
    ['12 abc'],
    ['12abc34'],
    ['about 12'],
    ['12 or 13'],
    ['12\n13'],
    ['12k'],
    ['1/2'],
    ['1:30'],
    ['0x1F'],
    ['NaN'],
    ['Infinity'],
    ['-Infinity'],
    ['null'],
    ['true'],
    ['--5'],
    ['+-5'],
    ['-$-5'],
    ['((5))'],
    ['(5'],
    ['5)'],
    ['1.2.3'],
    ['1,,200'],
    ['1,200,'],
    [',200'],
    ['1,200,50'],
    ['1,200.50.3'],
    ['1.200,50,3'],
    ['1 20'],
    ['12 34'],
    ['1e'],
    ['e3'],
    ['1,200e3'],
    ['5 USD USD'],
    ['12%%'],
    ['１２'],
    ['½'],
    ['٣'],
  ])('%j', written => {
    expect(parseNumber(written)).toBeUndefined()
  })

  it.each([
    ['9007199254740992', 2 ** 53],
    ['9007199254740993', 9007199254740993n],
    ['-9,007,199,254,740,993', -9007199254740993n],
    ['(9007199254740993)', -9007199254740993n],
    ['9007199254740993.5', 9007199254740994],
    [9007199254740993n, 9007199254740993n],
  ])('keeps the integer %s exactly', (written, number) => {
    expect(parseNumber(written)).toBe(number)
  })

  it.each([[null], [undefined], [true], [[]], [[1]], [{}], [{ valueOf: 1 }]])(
    'a value that is neither text nor a number: %s',
    value => {
      expect(parseNumber(value)).toBeUndefined()
    },
  )

  it.each(['12ABC', 'ABC12', 'INV123'])('%s is a word, not an amount', written => {
    expect(parseNumber(written)).toBeUndefined()
  })

  it.each(['10 MIO', '2 MIL', '5 BLN'])('%s is not read as its first digits', written => {
    expect(parseNumber(written)).not.toBe(Number.parseInt(written, 10))
  })

  it.each([
    ['a large exponent', '1e400'],
    ['a large exponent after a minus', '-1e400'],
    ['400 digits', '9'.repeat(400)],
    ['200 groups', `1${',000'.repeat(200)}`],
  ])('%s exceeds the range of a number', (_, written) => {
    expect(parseNumber(written)).toBeUndefined()
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d', value => {
    expect(parseNumber(value)).toBeUndefined()
  })
})

it('brackets around a number with a minus do not make it positive', () => {
  expect(parseNumber('(-5)')).toBeUndefined()
})

describe('for any number', () => {
  const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })

  it('is read as a number and as JSON text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        expect(parseNumber(number)).toBe(number)
        expect(Number(parseNumber(JSON.stringify(number)))).toBe(JSON.parse(JSON.stringify(number)))
      }),
    )
  })

  it.each(['en-US', 'en-IN', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'de-AT'])('is read in the format of %s', locale => {
    const form = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 })
    fc.assert(
      fc.property(cents, amount => {
        const written = form.format(amount / 100)
        expect([written, parseNumber(written)]).toEqual([written, amount / 100])
      }),
    )
  })

  it('never comes from a text with letters that are neither a currency nor an exponent', () => {
    fc.assert(
      fc.property(fc.integer(), fc.stringMatching(/^[a-z]{1,8}$/), fc.boolean(), (number, word, isBefore) => {
        fc.pre(!/^e$/.test(word))
        expect(parseNumber(isBefore ? `${word}${number}` : `${number}${word}`)).toBeUndefined()
      }),
    )
  })
})

describe('hostile texts', () => {
  it.each([
    ['digits and then a word', `${'1'.repeat(400_000)}x`],
    ['groups and then a word', `1${',000'.repeat(500_000)}x`],
    ['groups of two and then a word', `11${',00'.repeat(500_000)}x`],
    ['brackets', '('.repeat(1_000_000)],
    ['signs', '-'.repeat(1_000_000)],
    ['currencies', '$'.repeat(1_000_000)],
    ['capitals', 'USD'.repeat(500_000)],
    ['line breaks', '\n'.repeat(1_000_000)],
    ['blanks between two words', `x${' '.repeat(250_000)}x`],
  ])('finds no number: %s', (_, text) => {
    expect(parseNumber(text)).toBeUndefined()
  })
})
