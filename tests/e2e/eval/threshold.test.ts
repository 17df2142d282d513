import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { OWN_TARGET, providerModule, recordsOf, suiteFolder, verdictsOf } from '../../support/runs.ts'

/** A test with a score of 0.6 and one with a score of 0.9. */
function suite({ own = '', test = '' } = {}): string {
  return `name: marks
execution: { trials: 1${own} }
tests:
  - id: low
    criteria: Says both
    input: "yes"
    execution: { trials: 1${test} }
    assert:
      - { type: contains, value: "yes", weight: 3 }
      - { type: contains, value: maybe, weight: 2 }
  - id: high
    criteria: Says both
    input: "yes"
    assert:
      - { type: contains, value: "yes", weight: 9 }
      - { type: contains, value: maybe }
`
}

async function verdicts(text: string, ...args: string[]) {
  const cwd = suiteFolder(text)
  const { code } = await assay(['eval', ...args], { cwd })
  return { cwd, code, found: verdictsOf(recordsOf(cwd)) }
}

describe('the lowest score that passes', () => {
  it.each([
    ['by default', suite(), [], { low: 'borderline', high: 'pass' }, 0],
    ['of the suite', suite({ own: ', threshold: 1' }), [], { low: 'fail', high: 'fail' }, 1],
    ['of a suite, below the default', suite({ own: ', threshold: 0.6' }), [], { low: 'pass', high: 'pass' }, 0],
    [
      'of a test, over that of its suite',
      suite({ own: ', threshold: 1', test: ', threshold: 0.5' }),
      [],
      { low: 'pass', high: 'fail' },
      1,
    ],
    [
      'of the command line, over both',
      suite({ own: ', threshold: 1', test: ', threshold: 0.5' }),
      ['--threshold', '0.9'],
      { low: 'fail', high: 'pass' },
      1,
    ],
  ])('%s', async (_, text, args, found, code) => {
    expect(await verdicts(text, ...args)).toMatchObject({ found, code })
  })

  it.each(['0', '1.1', 'x', ''])('cannot be %j', async value => {
    const { code, stderr } = await assay(['eval', '--threshold', value], { cwd: suiteFolder(suite()) })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('above 0 and at most 1') })
  })

  it('is checked in a suite', async () => {
    const { code, stdout } = await assay(['validate'], { cwd: suiteFolder(suite({ own: ', threshold: 80' })) })
    expect(code).toBe(2)
    expect(stdout).toMatch(/EVAL\.yaml:2:\d+ error out-of-range/)
  })

  it('is recorded, explained and named as the reason of a failure', async () => {
    const { cwd } = await verdicts(suite({ own: ', threshold: 0.95' }))
    expect(recordsOf(cwd).map(({ threshold }) => threshold)).toEqual([0.95, 0.95])
    const { stdout } = await assay(['explain', 'latest', 'high'], { cwd })
    expect(stdout).toContain('verdict: fail (pass from 0.95)')
  })

  it('is the reason of a failure in which every check reaches its mark', async () => {
    const check =
      '{ type: composite, evaluators: [{ type: contains, value: "yes", weight: 9 }, { type: contains, value: maybe }] }'
    const text = `name: one\nexecution: { threshold: 1 }\ntests: [{ id: a, criteria: Says it, input: "yes", assert: [${check}] }]\n`
    const cwd = suiteFolder(text)
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toMatch(/fail a on default score 0\.90/)
  })

  it('is kept by a resumed run, and can be another one when answers are graded again', async () => {
    const { cwd } = await verdicts(suite(), '--threshold', '1', '--test-id', 'high')
    const resumed = await assay(['eval', '--resume', '--test-id', 'low', '--test-id', 'high'], { cwd })
    expect({ code: resumed.code, found: verdictsOf(recordsOf(cwd)) }).toEqual({
      code: 1,
      found: { high: 'fail', low: 'fail' },
    })
    expect((await assay(['grade', 'latest'], { cwd })).code).toBe(1)
    expect(recordsOf(cwd).map(({ threshold }) => threshold)).toEqual([1, 1])
    expect((await assay(['grade', 'latest', '--threshold', '0.6'], { cwd })).code).toBe(0)
  })

  it('is part of the identity of a test', async () => {
    const { cwd } = await verdicts(suite())
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ test: ', threshold: 0.7' }))
    const { stdout } = await assay(['status', '--why'], { cwd })
    expect(stdout).toMatch(/low.*changed|changed.*low/s)
  })

  it('is compared with the mean of all trials, of which some may be below', async () => {
    const module = providerModule('return { text: prompt.trial === 1 ? "yes maybe" : "yes" }')
    const cwd = suiteFolder(suite({ own: ', threshold: 0.8' }), OWN_TARGET, { 'own.mjs': module })
    expect((await assay(['eval', '--trials', '2', '--test-id', 'low'], { cwd })).code).toBe(0)
    expect(recordsOf(cwd).map(({ verdict }) => verdict)).toEqual(['pass', 'fail'])
  })
})
