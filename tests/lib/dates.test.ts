import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarDays, parseDateFormat } from '../../src/lib/dates.ts'

describe('one day', () => {
  it.each<[written: string, day: string]>([
    ['2025-12-31', '2025-12-31'],
    ['  2025-12-31\n', '2025-12-31'],
    ['20251231', '2025-12-31'],
    ['2025-12-31T23:59', '2025-12-31'],
    ['2025-12-31T23', '2025-12-31'],
    ['2025-12-31T23:59:59', '2025-12-31'],
    ['2025-12-31T23:59:59Z', '2025-12-31'],
    ['2025-12-31t23:59:59z', '2025-12-31'],
    ['2025-12-31T23:59:59.999Z', '2025-12-31'],
    ['2025-12-31T23:59:59,5Z', '2025-12-31'],
    ['2025-12-31T23:59:59-05:00', '2025-12-31'],
    ['2025-12-31T00:30:00+14:00', '2025-12-31'],
    ['2025-12-31 10:00:00+00', '2025-12-31'],
    ['2025-12-31 10:00:00 +0530', '2025-12-31'],
    ['20251231T235959Z', '2025-12-31'],
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['2025-1-5', '2025-01-05'],
    ['2025/12/31', '2025-12-31'],
    ['2025/3/4', '2025-03-04'],
    ['2025.12.31', '2025-12-31'],
    ['31/12/2025', '2025-12-31'],
    ['12/31/2025', '2025-12-31'],
    ['31.12.2025', '2025-12-31'],
    ['31-12-2025', '2025-12-31'],
    ['13/1/2025', '2025-01-13'],
    ['5/5/2025', '2025-05-05'],
    ['29/02/2024', '2024-02-29'],
    ['31 December 2025', '2025-12-31'],
    ['31 DECEMBER 2025', '2025-12-31'],
    ['31 dec 2025', '2025-12-31'],
    ['31. December 2025', '2025-12-31'],
    ['31-Dec-2025', '2025-12-31'],
    ['December 31, 2025', '2025-12-31'],
    ['December 31 2025', '2025-12-31'],
    ['Dec 31, 2025', '2025-12-31'],
    ['Dec. 31, 2025', '2025-12-31'],
    ['Sept. 5, 2025', '2025-09-05'],
    ['1st May 2025', '2025-05-01'],
    ['May 2nd, 2025', '2025-05-02'],
    ['3  June\t2025', '2025-06-03'],
    ['2025 July 4', '2025-07-04'],
  ])('%j is %s', (written, day) => {
    expect(calendarDays(written)).toEqual([day])
  })
})

describe('several days', () => {
  it.each<[written: string, days: string[]]>([
    ['03/04/2025', ['2025-03-04', '2025-04-03']],
    ['3/4/2025', ['2025-03-04', '2025-04-03']],
    ['1.2.2025', ['2025-01-02', '2025-02-01']],
    ['01-02-2025', ['2025-01-02', '2025-02-01']],
    ['31/12/99', ['1999-12-31', '2099-12-31']],
    ['25-12-31', ['1925-12-31', '1931-12-25', '2025-12-31', '2031-12-25']],
  ])('%s may be any of %j', (written, days) => {
    expect(calendarDays(written).sort()).toEqual(days)
  })
})

describe('no day', () => {
  it.each([
    [''],
    [' '],
    ['2025'],
    ['2025-12'],
    ['2025-13-01'],
    ['2025-00-10'],
    ['2025-12-00'],
    ['2025-04-31'],
    ['2023-02-29'],
    ['1900-02-29'],
    ['2100-02-29'],
    ['2024-02-30'],
    ['29/02/2023'],
    ['31/04/2025'],
    ['13/13/2025'],
    ['31/12-2025'],
    ['2025-12-31T'],
    ['2025-12-31 is the day'],
    ['due 2025-12-31'],
    ['2025-12-31\n2026-01-01'],
    ['tomorrow'],
    ['null'],
    ['1767139200'],
    ['31 Foo 2025'],
    ['32 May 2025'],
    ['0 May 2025'],
    ['February 30, 2024'],
    ['٣/٤/٢٠٢٥'],
  ])('%j', written => {
    expect(calendarDays(written)).toEqual([])
  })
})

describe('with formats', () => {
  it.each<[written: string, formats: string[], days: string[]]>([
    ['03/04/2025', ['DD/MM/YYYY'], ['2025-04-03']],
    ['03/04/2025', ['MM/DD/YYYY'], ['2025-03-04']],
    ['3/4/2025', ['D/M/YYYY'], ['2025-04-03']],
    ['3/4/2025', ['DD/MM/YYYY'], []],
    ['03.04.2025', ['DD/MM/YYYY'], []],
    ['31/12/25', ['DD/MM/YY'], ['2025-12-31']],
    ['31-12-25 10:30', ['DD-MM-YY HH:mm'], ['2025-12-31']],
    ['Dec 31 2025', ['MMM DD YYYY'], ['2025-12-31']],
    ['31122025', ['DDMMYYYY'], ['2025-12-31']],
    ['12312025', ['MMDDYYYY'], ['2025-12-31']],
    ['20253112', ['YYYYDDMM'], ['2025-12-31']],
    ['311225', ['DDMMYY'], ['2025-12-31']],
    ['2025-31-12', ['YYYY-DD-MM'], ['2025-12-31']],
    ['2025-12-31', ['DD/MM/YYYY'], ['2025-12-31']],
    ['2025-12-31T10:00:00Z', ['DD/MM/YYYY'], ['2025-12-31']],
    ['31 Dec 2025', ['DD/MM/YYYY'], []],
    ['12/31/2025', ['DD/MM/YYYY'], []],
    ['30/02/2024', ['DD/MM/YYYY'], []],
    ['31/12/2025', ['DD/MM/YYYY', 'MM/DD/YYYY'], ['2025-12-31']],
    ['05/05/2025', ['DD/MM/YYYY', 'MM/DD/YYYY'], ['2025-05-05']],
    ['03/04/2025', ['DD/MM/YYYY', 'MM/DD/YYYY'], ['2025-04-03', '2025-03-04']],
    ['31*12*2025', ['DD*MM*YYYY'], ['2025-12-31']],
    ['31x12x2025', ['DD.MM.YYYY'], []],
    ['(31) 12 [2025]', ['(DD) MM [YYYY]'], ['2025-12-31']],
  ])('%s in %j is %j', (written, formats, days) => {
    expect(calendarDays(written, formats)).toEqual(days)
  })

  it('a given format has priority over ISO 8601', () => {
    expect(calendarDays('2025-03-04', ['YYYY-DD-MM'])).toEqual(['2025-04-03'])
    expect(calendarDays('20250304', ['YYYYDDMM'])).toEqual(['2025-04-03'])
  })
})

describe('parseDateFormat', () => {
  it.each(['', 'DD/MM', 'YYYY', 'DD/DD/YYYY', 'dd/mm/yyyy', 'YYY-MM-DD', 'the day', 'YYYY-MM-DD DD', 'MMMMM D YYYY'])(
    '%j is rejected',
    format => {
      expect(parseDateFormat(format)).toBeUndefined()
    },
  )
})

describe('for any day', () => {
  const day = fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10))

  it('is read in every order of its parts', () => {
    const order = fc.constantFrom('YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'D.M.YYYY', 'MMMM D, YYYY', 'D MMM YYYY')
    fc.assert(
      fc.property(day, order, (iso, format) => {
        expect(calendarDays(inFormat(iso, format), [format])).toEqual([iso])
      }),
    )
  })

  it('is among the candidates without a format', () => {
    const order = fc.constantFrom('DD/MM/YYYY', 'MM/DD/YYYY', 'D.M.YYYY', 'M-D-YYYY', 'YYYY/M/D', 'D MMMM YYYY')
    fc.assert(
      fc.property(day, order, (iso, format) => {
        const days = calendarDays(inFormat(iso, format))
        expect(days).toContain(iso)
        expect(days.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  it('exists in the calendar', () => {
    const numbers = fc.tuple(fc.nat(2100), fc.nat(14), fc.nat(33))
    fc.assert(
      fc.property(numbers, ([year, month, date]) => {
        const written = `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`
        const isDay = !Number.isNaN(Date.parse(written)) && new Date(written).toISOString().startsWith(written)
        expect(calendarDays(written)).toEqual(isDay ? [written] : [])
      }),
    )
  })

  function inFormat(iso: string, format: string): string {
    const [year = '', month = '', date = ''] = iso.split('-')
    const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(iso))
    const parts: Record<string, string> = {
      YYYY: year,
      MMMM: name,
      MMM: name.slice(0, 3),
      MM: month,
      M: String(Number(month)),
      DD: date,
      D: String(Number(date)),
    }
    return format.replace(/Y+|M+|D+/g, part => parts[part] ?? part)
  }

  function pad(number: number, length: number): string {
    return String(number).padStart(length, '0')
  }
})

describe('hostile texts', () => {
  it.each([
    ['digits', '1'.repeat(5_000_000)],
    ['spaces after a month', `1 May${' '.repeat(1_000_000)}x`],
    ['separators', '/'.repeat(5_000_000)],
    ['an endless fraction of a second', `2025-12-31T10:00:00.${'0'.repeat(5_000_000)}x`],
  ])('finds no day: %s', (_, text) => {
    expect(calendarDays(text)).toEqual([])
  })
})
