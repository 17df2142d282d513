import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { EXPECTED, fails, folderOf, madeIn, passes, QUARANTINE } from '../../../support/marked-suite.ts'
import { recordsOf } from '../../../support/runs.ts'

describe('a test that is expected to fail', () => {
  it('does not fail the gate, and counts as not passed', async () => {
    const cwd = folderOf([passes('a'), fails('b', EXPECTED)])
    const { code, stderr } = await assay(['eval', '--fail-fast', '--workers', '1'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('2 tests: 1 passed, 1 expected failure\n')
    expect(stderr).toMatch(/expected failure b on one EVAL\.yaml:\d+: wrong currency\n/)
    expect(stderr).toContain('quality gate passed: no test failed, 1 expected failure\n')
    expect(stderr).toContain('  50 % [')
    expect(recordsOf(cwd).map(({ expected_failure }) => expected_failure)).toEqual([undefined, 'wrong currency'])
    const rate = await assay(['eval', '--min-pass-rate', '0.6'], { cwd })
    expect(rate.code).toBe(1)
    expect(rate.stderr).toContain('quality gate failed: pass rate 50 %, 60 % required, 1 expected failure\n')
  })

  it.each([[], ['--min-pass-rate', '0.1'], ['--allow-flaky'], ['--fail-on', 'borderline']])(
    'fails the gate if it passes, with its location: %s %s',
    async (...options) => {
      const cwd = folderOf([fails('a', EXPECTED), passes('b', EXPECTED), passes('c')])
      const { code, stderr } = await assay(['eval', '--quiet', ...options.filter(Boolean)], { cwd })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /unexpected pass b on one EVAL\.yaml:\d+: passes now, so remove `expected_failure` \(wrong currency\)\n/,
      )
      expect(stderr).toContain('1 unexpected pass, 1 expected failure')
      expect(stderr).toContain('quality gate failed')
    },
  )

  it('is an error if it ends in an error', async () => {
    const cwd = folderOf([passes('a'), fails('b', { ...EXPECTED, target: 'mute' })])
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain('2 tests on 2 targets: 1 passed, 1 with errors\n')
  })

  it('does not end a run early that asks for a pass rate', async () => {
    const tests = ['a', 'b', 'c', 'd'].map(id => fails(id))
    const cwd = folderOf([...tests, passes('e', EXPECTED)])
    await assay(['eval', '--min-pass-rate', '0.9', '--workers', '1'], { cwd })
    expect(madeIn(cwd)).toHaveLength(5)
  })

  it('is judged by the mean of its trials', async () => {
    const cwd = folderOf([fails('a', { ...EXPECTED, trials: 3 }), passes('b', { ...EXPECTED, trials: 2 })])
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('2 tests: 1 unexpected pass, 1 expected failure\n')
  })

  it('does not fail the gate on a control arm', async () => {
    const cwd = folderOf([passes('a', EXPECTED)], { target: undefined, targets: ['one', 'two'], control: 'two' })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('1 test × 2 targets: 1 unexpected pass; control arm: 1 passed\n')
    expect(stderr).not.toContain('unexpected pass a on two')
  })

  it('is not repeated by --rerun-failed, whether it fails or passes', async () => {
    const cwd = folderOf([fails('a', EXPECTED), passes('b', EXPECTED), fails('c', QUARANTINE), fails('d')])
    await assay(['eval'], { cwd })
    await assay(['eval', '--rerun-failed'], { cwd })
    expect(madeIn(cwd).sort()).toEqual(['a on one', 'b on one', 'c on one', 'd on one', 'd on one'])
  })
})
