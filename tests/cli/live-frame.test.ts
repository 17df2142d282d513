import { describe, expect, it } from 'vitest'
import { type LiveState, liveFrame } from '../../src/cli/terminal/live-frame.ts'
import { PLAIN } from '../../src/lib/palette.ts'
import { formatDollars, formatDuration } from '../../src/lib/text/format.ts'
import { displayWidth } from '../../src/lib/text/unicode.ts'

const STATE: LiveState = {
  total: 10,
  counts: { pass: 3, borderline: 0, fail: 1, error: 1 },
  evidence: [],
  running: [{ name: 'first on default', ms: 2140 }],
  waits: [{ target: 'gpt', ms: 11_200, reason: 'rate limit', attempts: 3 }],
  rest: undefined,
  cost_usd: 0.0123,
  elapsed_ms: 5000,
}
const LARGE = { columns: 120, rows: 40 }

describe('liveFrame', () => {
  it('shows running attempts, waits by target, the bar, the counts, the cost and the time left', () => {
    expect(liveFrame(STATE, LARGE, PLAIN)).toEqual([
      '  first on default  2 s',
      '  gpt waits 12 s: rate limit (3 attempts)',
      '████████████░░░░░░░░░░░░ 5/10  3 pass  1 fail  1 error  $0.0123  5 s  5 s left',
    ])
  })

  it('shows eight attempts and counts the rest', () => {
    const running = Array.from({ length: 20 }, (_, index) => ({ name: `t${index}`, ms: 1 }))
    const lines = liveFrame({ ...STATE, running, waits: [] }, { columns: 80, rows: 40 }, PLAIN)
    expect(lines).toHaveLength(10)
    expect(lines[8]).toBe('  and 12 more')
  })

  it('is lower on a low terminal', () => {
    const running = Array.from({ length: 20 }, (_, index) => ({ name: `t${index}`, ms: 1 }))
    const waits = running.map(({ name }) => ({ target: name, ms: 1, reason: 'busy', attempts: 1 }))
    expect(liveFrame({ ...STATE, running, waits }, { columns: 80, rows: 12 }, PLAIN)).toHaveLength(9)
  })

  it('puts counts below the bar where the terminal is narrow', () => {
    expect(liveFrame({ ...STATE, running: [] }, { columns: 40, rows: 24 }, PLAIN)).toEqual([
      '  gpt waits 12 s: rate li… (3 attempts)',
      '█████░░░░░ 5/10  3 pass  1 fail',
      '  1 error  $0.0123  5 s  5 s left',
    ])
  })

  it('counts failures that are not shown', () => {
    const [first] = liveFrame({ ...STATE, rest: 'and 3 more failures; see the table' }, LARGE, PLAIN)
    expect(first).toBe('and 3 more failures; see the table')
  })

  it.each([20, 40, 60, 80, 140])('has no line wider than %i columns', columns => {
    const running = [{ name: `日本語のとても長いテスト名 ❤️👩‍💻 ${'x\t'.repeat(200)}`, ms: 1 }, ...STATE.running]
    const waits = [{ target: 't'.repeat(300), ms: 1, reason: 'r'.repeat(300), attempts: 2 }, ...STATE.waits]
    for (const line of liveFrame({ ...STATE, running, waits }, { columns, rows: 40 }, PLAIN)) {
      expect(displayWidth(line)).toBeLessThan(columns)
      expect(line).not.toContain('\t')
    }
  })

  it('escapes control characters and line breaks in names', () => {
    const running = [{ name: 'a\u001b[2J\nb', ms: 1 }]
    const waits = [{ target: 'a\u0007', ms: 1, reason: '\u0007\r', attempts: 1 }]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the frame must not contain these
    expect(liveFrame({ ...STATE, running, waits }, LARGE, PLAIN).join('')).not.toMatch(/[\u0000-\u001f]/)
  })
})

describe('formatted numbers', () => {
  it.each([
    [0, '<1 ms'],
    [999.4, '999 ms'],
    [1000, '1.0 s'],
    [59_900, '59.9 s'],
    [200_000, '3 min 20 s'],
    [3_600_000, '1 h 0 min'],
  ])('%f ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it.each([
    [0.0123, '$0.0123'],
    [12.5, '$12.50'],
    [0, '$0'],
    [0.00012345, '$0.0001'],
    [0.0001, '$0.0001'],
    [0.0000999, '$0.0001'],
    [0.0000994, '$0.000099'],
    [0.00005, '$0.000050'],
    [0.0000123, '$0.000012'],
    [1.26e-9, '$0.0000000013'],
    [5e-324, '$0.00000000000000000000'],
  ])('%f dollars are %s', (usd, text) => {
    expect(formatDollars(usd)).toBe(text)
  })
})
