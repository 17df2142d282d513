import { describe, expect, it } from 'vitest'
import { aligningProject, GOOD, proposing } from '../../support/aligning.ts'

describe('assay calibrate --align with several answers to a test', () => {
  it('offers nothing if many answers of a few tests improve', async () => {
    const project = await aligningProject({
      ...{ tests: 12, agents: ['one', 'two'], run: ['--trials', '3'] },
      proposes: () => proposing(GOOD),
    })
    const { code, data, stderr } = await project.aligned('--proposals', '1')
    expect(code, stderr).toBe(1)
    // 18 of 36 answers, of which McNemar's test would be certain, but 3 of 6 tests.
    expect(data.result).toMatchObject({
      status: 'not-shown',
      held_out: { compared: 36, better: 18, worse: 0, difference: 0.5, test: 'paired t' },
    })
    expect(data.result.held_out.p).toBeGreaterThan(0.05)
    expect(data.plan).toMatchObject({ training: 36, held_out: 36, held_out_tests: 6, least_changed: 6 })
    expect(stderr).toContain(
      'with 36 held-out labels of 6 tests, only an improvement of about 100 points can be shown, since answers of at least 6 tests must change',
    )
  })

  it('offers a text that improves enough tests, and never divides a test', async () => {
    const project = await aligningProject({
      ...{ tests: 32, agents: ['one', 'two'] },
      proposes: () => proposing(GOOD),
    })
    const { code, data, stderr } = await project.aligned('--proposals', '1')
    expect(code, stderr).toBe(0)
    expect(data.result.held_out).toMatchObject({ compared: 32, better: 16, worse: 0, test: 'paired t' })
    const [asked = ''] = project.asked('proposer')
    const shown = new Set([...asked.matchAll(/about (topic\d+x)\?/g)].map(([, topic]) => topic))
    expect(shown.size).toBe(8)
    for (const name of ['one', 'two'])
      expect(project.server.calls.filter(({ path }) => path.startsWith(`/${name}/`))).toHaveLength(32)
  })
})
