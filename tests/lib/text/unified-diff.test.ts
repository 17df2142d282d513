import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutDiff, unifiedDiff } from '../../../src/lib/text/unified-diff.ts'
import { cpuTimeOf } from '../../support/cpu-time.ts'
import { folderWith } from '../../support/program.ts'
import { examples } from '../../support/random-examples.ts'

describe('a unified diff', () => {
  it('shows three lines around each change, and joins hunks that meet', () => {
    const lines = Array.from({ length: 20 }, (_, n) => `${n}\n`)
    const changed = lines.with(4, 'four\n').with(11, 'eleven\n').with(19, 'last')
    expect(unifiedDiff(lines.join(''), changed.join(''))).toBe(
      '@@ -2,14 +2,14 @@\n' +
        ' 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n 8\n 9\n 10\n-11\n+eleven\n 12\n 13\n 14\n' +
        '@@ -17,4 +17,4 @@\n 16\n 17\n 18\n-19\n+last\n\\ No newline at end of file\n',
    )
    expect(unifiedDiff('same', 'same')).toBe('')
    expect(unifiedDiff('', 'a\n')).toBe('@@ -0,0 +1 @@\n+a\n')
  })

  it('is applied by git', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', ' x', '-y', '+z'), { maxLength: 30 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '')
        const folder = folderWith({ file: before })
        writeFileSync(join(folder, 'p'), `--- a/file\n+++ b/file\n${unifiedDiff(before, after)}`)
        execFileSync('git', ['apply', '--unidiff-zero', 'p'], { cwd: folder, stdio: 'pipe' })
        expect(readFileSync(join(folder, 'file'), 'utf8')).toBe(after)
      }),
      { numRuns: examples(40) },
    )
  })

  it('takes little time for texts without anything in common, and for long ones', async () => {
    const lines = (word: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${word} ${n * 7}\n`).join('')
    const time = await cpuTimeOf(() => {
      expect(unifiedDiff(lines('a', 60_000), lines('b', 60_000)).length).toBeGreaterThan(1_000_000)
      expect(unifiedDiff('x\ny\n'.repeat(50_000), 'y\nx\nz\n'.repeat(50_000))).toContain('@@')
    })
    expect(time).toBeLessThan(10_000)
  })

  it('is cut after a whole line', () => {
    expect(cutDiff('@@ -0,0 +1,2 @@\n+é\n+b\n', 20)).toBe('@@ -0,0 +1,2 @@\n+é\n')
    expect(cutDiff('@@ -0,0 +1,2 @@\n+é\n+b\n', 18)).toBe('@@ -0,0 +1,2 @@\n')
    expect(cutDiff('@@ -0,0 +1,2 @@\n', 4)).toBe('')
  })
})
