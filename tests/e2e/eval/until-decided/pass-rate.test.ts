import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { onlyRun, qualityFolder } from './quality-agent.ts'

const decide = (folder: string, ...args: string[]) =>
  assay(['eval', '--until-decided', '--min-pass-rate', '0.8', '--seed', '7', ...args], { cwd: folder })

describe('eval --until-decided --min-pass-rate', () => {
  it('stops when the true pass rate is shown to be above', async () => {
    const folder = qualityFolder(200, { default: { rate: 0.98 } })
    const { code, stderr } = await decide(folder, '--workers', '4')
    const { info, recorded } = onlyRun(folder)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(recorded).toBeLessThan(120)
    expect(info.decisions).toMatchObject([{ target: 'default', threshold: 0.8, decision: 'above', of: 200 }])
    expect(stderr).toMatch(
      /above 80 %: pass rate of default .+ decided after \d+ of 200 tests\n(.*\n)*quality gate passed: default is above 80 %/,
    )
    expect(stderr).not.toContain('Resume with')
  })

  it('stops when it is shown to be below, and fails', async () => {
    const folder = qualityFolder(200, { default: { rate: 0.4 } })
    const { code, stderr } = await decide(folder)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(onlyRun(folder).recorded).toBeLessThan(60)
    expect(stderr).toContain('quality gate failed: default is below 80 %')
  })

  it('ends with 4 where neither is shown', async () => {
    const folder = qualityFolder(60, { default: { rate: 0.8 } })
    const { code, stderr } = await decide(folder)
    expect({ code, stderr }).toMatchObject({ code: 4 })
    expect(stderr).toContain('quality gate inconclusive: neither above nor below 80 % is shown for default')
  })

  it('decides the same with slow and fast tests mixed, and with any number of workers', async () => {
    const decisions = []
    for (const workers of ['1', '3', '24']) {
      const folder = qualityFolder(80, { default: { rate: 0.95, slow: 12 } })
      await decide(folder, '--workers', workers)
      const { info, recorded } = onlyRun(folder)
      decisions.push(info.decisions)
      // What was in flight at the decision is recorded, and marked.
      expect(recorded).toBe((info.decisions?.[0]?.after ?? 0) + (info.late_attempts?.length ?? 0))
    }
    expect(decisions[1]).toEqual(decisions[0])
    expect(decisions[2]).toEqual(decisions[0])
  })

  it('decides each of several targets', async () => {
    const folder = qualityFolder(150, { good: { rate: 0.99 }, bad: { rate: 0.3 } }, { targets: ['good', 'bad'] })
    const { code } = await decide(folder)
    const { info, recorded } = onlyRun(folder)
    expect(code).toBe(1)
    expect(info.decisions?.map(({ target, decision }) => [target, decision])).toEqual([
      ['good', 'above'],
      ['bad', 'below'],
    ])
    expect(recorded).toBeLessThan(150)
  })

  it('counts the tests of a conversation as one', async () => {
    const folder = qualityFolder(0, { default: { rate: 1 } })
    const tests = Array.from({ length: 120 }, (_, index) => ({
      id: `t${index}`,
      criteria: 'Is good',
      input: 'Say good',
      metadata: { cluster: Math.floor(index / 4) },
    }))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(
      `${folder}/EVAL.yaml`,
      JSON.stringify({ name: 'clusters', assert: [{ type: 'equals', value: 'good' }], tests }),
    )
    await decide(folder)
    const [decision] = onlyRun(folder).info.decisions ?? []
    // 30 units that all pass show less than 120 tests would.
    expect(decision).toMatchObject({ decision: 'above', passed: decision?.after })
    expect(decision?.after).toBeGreaterThan(40)
  })
})

describe('eval --until-decided', () => {
  it.each([
    [['--until-decided'], 'Nothing to decide'],
    [['--until-decided', '--min-pass-rate', '0.8', '--trials', '3'], 'bound it with --max-trials'],
    [['--until-decided', '--min-pass-rate', '0.8', '--queue', 'redis://localhost'], 'Run it on one machine'],
    [['--until-decided', '--min-pass-rate', '0.8', '--shard', '1/2'], 'Run it on one machine'],
    [['--until-decided', '--min-pass-rate', '0.8', '--fail-fast'], 'It stops by itself'],
    [['--until-decided', '--min-pass-rate', '0.8', '--rerun-failed'], 'would bias the decision'],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await assay(['eval', ...args], { cwd: qualityFolder(3, { default: { rate: 1 } }) })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('keeps the settings of a resumed run', async () => {
    const folder = qualityFolder(60, { default: { rate: 0.8 } })
    await decide(folder)
    const before = onlyRun(folder).info
    expect((await assay(['eval', '--resume'], { cwd: folder })).code).toBe(4)
    expect(onlyRun(folder).info).toEqual(before)
    for (const args of [
      ['--seed', '8'],
      ['--max-trials', '9'],
    ]) {
      const { code, stderr } = await assay(['eval', '--resume', ...args], { cwd: folder })
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('other settings') })
    }
    const { code, stderr } = await assay(['eval', '--rerun-failed'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('bias') })
  })
})

describe('eval --min-pass-rate', () => {
  const gate = (folder: string, rate: string, ...args: string[]) =>
    assay(['eval', '--min-pass-rate', rate, '--workers', '1', ...args], { cwd: folder })

  it('stops when the rate of all tests is certain to be reached', async () => {
    const folder = qualityFolder(20, { default: { rate: 1 } })
    const { code, stderr } = await gate(folder, '0.5')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(onlyRun(folder).recorded).toBe(10)
    expect(stderr).toContain('certain after 10 of 20 tests: the pass rate of default reaches 50 %')
  })

  it('stops when the rate is certain to be missed', async () => {
    const folder = qualityFolder(20, { default: { rate: 0 } })
    const { code, stderr } = await gate(folder, '0.9')
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(onlyRun(folder).recorded).toBe(3)
    expect(stderr).toContain('misses 90 %')
  })

  it('goes on while one of several targets is open', async () => {
    const folder = qualityFolder(20, { good: { rate: 1 }, fair: { rate: 0.7 } }, { targets: ['good', 'fair'] })
    await gate(folder, '0.5')
    const passed = onlyRun(folder).info.decisions?.map(({ target, decision }) => [target, decision])
    expect(passed).toEqual([
      ['good', 'reached'],
      ['fair', 'reached'],
    ])
  })

  it('makes every attempt of a shard, which does not know the other tests', async () => {
    const folder = qualityFolder(20, { default: { rate: 1 } })
    await gate(folder, '0.1', '--shard', '1/2')
    expect(onlyRun(folder).recorded).toBe(10)
  })

  it('says the same after a resume', async () => {
    const folder = qualityFolder(20, { default: { rate: 1 } })
    await gate(folder, '0.5')
    const { code } = await assay(['eval', '--resume', '--workers', '1'], { cwd: folder })
    expect([code, onlyRun(folder).recorded]).toEqual([0, 10])
  })
})

describe('eval --plan --until-decided', () => {
  it('says what a decision would take, at the prices of the last run', async () => {
    const folder = qualityFolder(
      50,
      { candidate: { rate: 0.9 }, control: { rate: 0.9, seed: 2 } },
      { target: 'candidate', control: 'control' },
    )
    const plan = () => assay(['eval', '--plan', '--until-decided', '--seed', '1'], { cwd: folder })
    expect((await plan()).stdout).toMatch(
      /candidate against control: 50 tests, at most 250 pairs; shows a drop of 0\.15 in 9\d % of cases, after about 1\d\d pairs\n/,
    )
    await assay(['eval'], { cwd: folder })
    expect((await plan()).stdout).toContain('at most $5.00 at the prices of the last run')
  })

  it('says what so few tests can never show, before anything is asked', async () => {
    const folder = qualityFolder(20, { default: { rate: 0.9 } })
    const args = ['eval', '--until-decided', '--min-pass-rate', '0.9']
    expect((await assay([...args, '--plan'], { cwd: folder })).stdout).toContain(
      '20 tests can never show a pass rate above 90 %',
    )
    expect((await assay(args, { cwd: folder })).stderr).toMatch(
      /^warning 20 tests can never show a pass rate above 90 %\n/,
    )
  })
})
