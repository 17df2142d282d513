import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { onlyRun, type Quality, qualityFolder } from './quality-agent.ts'

const decide = (folder: string, ...args: string[]) =>
  assay(['eval', '--until-decided', '--seed', '7', ...args], { cwd: folder })

const arms = (tests: number, candidate: Quality, control: Quality) =>
  qualityFolder(tests, { candidate, control: { seed: 2, ...control } }, { target: 'candidate', control: 'control' })

describe('eval --until-decided with a control', () => {
  it('decides worse in under half of the calls of a fixed plan', async () => {
    const folder = arms(50, { rate: 0.7 }, { rate: 0.9 })
    const { code, stderr } = await decide(folder)
    const { info, recorded } = onlyRun(folder)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(info.decisions).toMatchObject([{ target: 'candidate', control: 'control', decision: 'worse', of: 250 }])
    expect(recorded).toBeLessThan(250)
    expect(stderr).toMatch(/worse: candidate against control −0\.\d+ \[.+\], decided after \d+ of at most 250 pairs/)
  })

  it('decides better, and passes', async () => {
    const folder = arms(50, { rate: 0.95 }, { rate: 0.7 })
    const { code, stderr } = await decide(folder)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(onlyRun(folder).info.decisions).toMatchObject([{ decision: 'better' }])
    expect(stderr).toContain('quality gate passed: candidate is better')
  })

  it('is inconclusive where nothing differs, after the most pairs', async () => {
    const folder = arms(20, { rate: 0.8, seed: 5 }, { rate: 0.8 })
    const { code, stderr } = await decide(folder, '--max-trials', '3')
    const { info, recorded } = onlyRun(folder)
    expect({ code, stderr }).toMatchObject({ code: 4 })
    expect(info.decisions).toMatchObject([{ decision: 'not-shown', after: 60, of: 60 }])
    expect(recorded).toBe(120)
    expect(stderr).toContain('quality gate inconclusive: nothing is shown about candidate')
  })

  it('decides the same with any number of workers, and with slow and fast tests mixed', async () => {
    const decisions = []
    for (const workers of ['1', '5', '32']) {
      const folder = arms(20, { rate: 0.6, slow: 6 }, { rate: 0.9, slow: 3 })
      await decide(folder, '--workers', workers)
      const { info, recorded } = onlyRun(folder)
      decisions.push(info.decisions)
      expect(recorded).toBe(2 * (info.decisions?.[0]?.after ?? 0) + (info.late_attempts?.length ?? 0))
    }
    expect(decisions[1]).toEqual(decisions[0])
    expect(decisions[2]).toEqual(decisions[0])
  })

  it('does not decide by errors', async () => {
    const folder = arms(30, { rate: 0.95, errors: 0.4 }, { rate: 0.95 })
    const { code, stderr } = await decide(folder)
    const [decision] = onlyRun(folder).info.decisions ?? []
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(decision).toMatchObject({ decision: 'not-shown', errors_decide: true })
    expect(stderr).toContain('with and without errored attempts the pairs say different things')
  })

  it('stops at --max-cost without a decision, and goes on when it is resumed', async () => {
    const folder = arms(30, { rate: 0.7 }, { rate: 0.9 })
    const { code, stderr } = await decide(folder, '--max-cost', '0.30')
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(onlyRun(folder).info.decisions).toBeUndefined()
    expect(stderr).toContain('Resume with: assay eval --resume')
    expect((await assay(['eval', '--resume'], { cwd: folder })).code).toBe(1)
    const whole = arms(30, { rate: 0.7 }, { rate: 0.9 })
    await decide(whole)
    expect(onlyRun(folder).info.decisions).toEqual(onlyRun(whole).info.decisions)
  })

  it('leaves a complete run, which reports and a resume find decided', async () => {
    const folder = arms(50, { rate: 0.7 }, { rate: 0.9 })
    await decide(folder)
    const { info, recorded } = onlyRun(folder)
    expect(info.attempts).toHaveLength(recorded)
    const { stdout } = await assay(['report', 'latest', '--format', 'text'], { cwd: folder })
    expect(stdout).toContain('worse: candidate against control')
    expect(stdout).not.toContain('not run')
    expect((await assay(['eval', '--resume'], { cwd: folder })).code).toBe(1)
    const again = onlyRun(folder)
    const ids = ({ attempts }: typeof info) => attempts.map(([, id]) => id).sort()
    expect([again.recorded, again.info.decisions, ids(again.info)]).toEqual([recorded, info.decisions, ids(info)])
  })
})
