import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../../src/host/node.ts'
import { assay, assayOn } from '../../../support/in-process.ts'
import { fails, folderOf, madeIn, passes, QUARANTINE, writeSuite } from '../../../support/marked-suite.ts'
import { latestId } from '../../../support/runs.ts'

describe('a test in quarantine', () => {
  it('is reported apart, and counts in no figure and no gate', async () => {
    const cwd = folderOf([passes('a'), fails('b', QUARANTINE), passes('c', { ...QUARANTINE, target: 'mute' })])
    for (const gate of [[], ['--min-pass-rate', '1'], ['--fail-fast', '--workers', '1']]) {
      const { code, stderr } = await assay(['eval', ...gate], { cwd })
      expect(code).toBe(0)
      expect(stderr).toContain('1 test: 1 passed; 2 quarantined (1 failed, 1 with errors), until 9999-12-31\n')
      expect(stderr).toMatch(/quarantined b on one EVAL\.yaml:\d+: failed, until 9999-12-31: a flaky upstream\n/)
      expect(stderr).toContain('suite  one         1     1           0     0      0')
      expect(stderr).not.toMatch(/^fail b on one score/m)
    }
  })

  it('does not let a pass rate hold that no test shows', async () => {
    const cwd = folderOf([passes('a', QUARANTINE)])
    expect((await assay(['eval'], { cwd })).code).toBe(0)
    const { code, stderr } = await assay(['eval', '--min-pass-rate', '0.5'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('without 1 quarantined')
  })

  it('is left out of a run until it is decided', async () => {
    const cwd = folderOf([...['a', 'b', 'c'].map(id => passes(id)), fails('d', QUARANTINE)])
    const { stderr } = await assay(['eval', '--until-decided', '--min-pass-rate', '0.5'], { cwd })
    expect(madeIn(cwd)).not.toContain('d on one')
    expect(stderr).toMatch(
      /skipped d EVAL\.yaml:\d+: in quarantine until 9999-12-31, which --until-decided leaves out: a flaky/,
    )
    expect(stderr).toContain('; 1 skipped\n')
  })

  it('is no evidence in a comparison, by the mark of the later run', async () => {
    const cwd = folderOf([passes('a'), passes('b'), fails('c', QUARANTINE)])
    await assay(['eval'], { cwd })
    const first = latestId(cwd)
    writeSuite(cwd, [passes('a'), passes('b', QUARANTINE), fails('c')])
    const responses = ['^a$', '.'].map(pattern => ({ pattern, response: pattern === '.' ? 'hm' : 'yes' }))
    const worse = { targets: [{ name: 'one', provider: 'mock', responses }] }
    writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify(worse))
    expect((await assay(['eval'], { cwd })).code).toBe(1)
    const gated = ['--fail-on-new-failures', '--json']
    const compared = await assay(['compare', first, 'latest', ...gated], { cwd })
    const [comparison] = JSON.parse(compared.stdout).comparisons
    expect(comparison.pairs.map(({ test_id }: { test_id: string }) => test_id)).toEqual(['a', 'c'])
    expect(comparison.quarantined).toEqual([{ suite: 'suite', test_id: 'b' }])
    expect(comparison.new_failures).toEqual([])
    expect(comparison.gone).toEqual([])
    const { stdout } = await assay(['compare', first, 'latest'], { cwd })
    expect(stdout).toContain('2 tests compared: 0 improved, 0 worse, 2 the same; left out: 1 quarantined')
  })

  it('is no evidence against a control arm', async () => {
    const arms = { target: undefined, targets: ['one', 'two'], control: 'two' }
    const cwd = folderOf([passes('a'), fails('b', QUARANTINE)], arms)
    const { stderr } = await assay(['eval', '--fail-on-regression'], { cwd })
    expect(stderr).toContain('left out: 1 quarantined')
    expect(stderr).toContain('; 2 quarantined (2 failed), until 9999-12-31\n')
  })
})

describe('an expired quarantine', () => {
  const on = (day: string, cwd: string, ...args: string[]) => {
    const host = nodeHost(cwd, { ...process.env, CI: 'true' })
    return assayOn({ ...host, clock: { ...host.clock, localTime: () => `${day} 00:00:00` } }, args)
  }
  const tests = [passes('a'), passes('b', { quarantine: { reason: 'flaky', until: '2026-12-31' } })]

  it('is an error from the next day on, in the local time zone', async () => {
    const cwd = folderOf(tests)
    for (const command of ['validate', 'eval']) {
      expect((await on('2026-12-31', cwd, command)).code).toBe(0)
      const { code, stdout, stderr } = await on('2027-01-01', cwd, command)
      expect(code).toBe(2)
      expect(`${stdout}${stderr}`).toMatch(
        /EVAL\.yaml:\d+:\d+ error expired-quarantine\n {2}the quarantine ended on 2026-12-31\n/,
      )
      expect(`${stdout}${stderr}`).toContain('hint: fix the test and remove `quarantine`, or choose a later day\n')
    }
  })

  it('does not prevent a conversion', async () => {
    const cwd = folderOf(tests)
    const { code, stderr } = await on('2027-01-01', cwd, 'transpile', 'EVAL.yaml')
    expect(code).toBe(0)
    expect(stderr).toContain('evals.json cannot express `quarantine`: `b` runs there as if unmarked')
  })
})
