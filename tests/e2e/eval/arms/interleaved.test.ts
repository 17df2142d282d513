import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { providerModule, wordTest } from '../../../support/runs.ts'

/** Writes down when each answer begins and ends. */
const LOGGING = providerModule(`
    const name = config.arm + ' ' + prompt.test_id + '#' + prompt.trial
    appendFileSync(config.log, 'start ' + name + '\\n')
    await host.clock.sleep(config.ms, signal)
    appendFileSync(config.log, 'end ' + name + '\\n')
    return { text: 'yes' }`)

interface Arm {
  readonly ms: number
  readonly workers?: number
}

/** The order in which answers of two arms begin. */
async function startsOf(arms: { a: Arm; b: Arm }, tests: readonly object[], ...args: string[]) {
  const files = folderWith({})
  const log = join(files, 'log.txt')
  const targets = Object.entries(arms).map(([name, arm]) => ({ name, arm: name, provider: './own.mjs', log, ...arm }))
  const cwd = folderWith({
    'own.mjs': LOGGING,
    '.assay/targets.yaml': JSON.stringify({ targets }),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution: { targets: ['a', 'b'] }, tests }),
  })
  const { code, stderr } = await assay(['eval', ...args], { cwd })
  expect([code, stderr]).toEqual([0, expect.anything()])
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  return { starts: lines.filter(line => line.startsWith('start')).map(line => line.slice(6)), lines }
}

const TESTS = Array.from({ length: 8 }, (_, index) => wordTest(`t${index}`, 'Hi', 'yes'))

const TWICE = ['--trials', '2', '--workers', '1']

/** The furthest that one arm was ahead of the other, in attempts. */
function lead(starts: readonly string[]): number {
  let ahead = 0
  return starts.reduce((most, start) => {
    ahead += start.startsWith('a') ? 1 : -1
    return Math.max(most, Math.abs(ahead))
  }, 0)
}

describe('attempts of compared arms', () => {
  it('alternate on each test and trial', async () => {
    const { starts } = await startsOf({ a: { ms: 0 }, b: { ms: 0 } }, TESTS.slice(0, 2), '--control', 'b', ...TWICE)
    expect(starts).toEqual(['a t0#1', 'b t0#1', 'a t0#2', 'b t0#2', 'a t1#1', 'b t1#1', 'a t1#2', 'b t1#2'])
  })

  it('keep pace when one arm is slower or has fewer workers', async () => {
    const arms = { a: { ms: 0 }, b: { ms: 10, workers: 1 } }
    expect(lead((await startsOf(arms, TESTS, '--control', 'b')).starts)).toBeLessThanOrEqual(2)
    expect(lead((await startsOf(arms, TESTS)).starts)).toBeGreaterThan(2)
  })

  it('keep conversations in order', async () => {
    const talk = TESTS.slice(0, 3).map(test => ({ ...test, conversation_id: 'talk' }))
    const { lines } = await startsOf({ a: { ms: 1 }, b: { ms: 2 } }, [...talk, ...TESTS.slice(3)], '--control', 'a')
    for (const arm of ['a', 'b']) {
      const own = lines.filter(line => / t[012]#/.test(line) && line.includes(` ${arm} `))
      expect(own.map(line => line.replace(` ${arm}`, ''))).toEqual(
        ['t0#1', 't1#1', 't2#1'].flatMap(name => [`start ${name}`, `end ${name}`]),
      )
    }
  })
})
