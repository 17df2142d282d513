import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { assay, PROGRAM } from '../../support/program.ts'
import { proposing, TUNE, type TuningProject, tuningProject } from '../../support/tuning.ts'

const KILLS = 10

/** A proposer that finds one word more in each round. */
const project = () =>
  tuningProject({
    replies: asked => proposing(asked.includes('a table') ? 'For a table or a column' : 'For a table', 'For sums'),
    env: { TRIGGER_PAUSE: '0.02' },
  })

/** Kills a session when the agent has started some more times; returns false if it ended before. */
async function killLater({ folder, starts }: TuningProject, random: () => number): Promise<boolean> {
  const before = starts().length
  const child = spawn(process.execPath, [PROGRAM, ...TUNE, '--workers', '2'], { cwd: folder, stdio: 'ignore' })
  const ended = new Promise<boolean>(resolve => child.on('exit', (_, signal) => resolve(signal === 'SIGKILL')))
  const more = Math.floor(random() * 14)
  while (child.exitCode === null && starts().length < before + more) await sleep(2)
  await sleep(random() * 300)
  child.kill('SIGKILL')
  return ended
}

/** The result of the only session, without the time. */
function resultIn({ folder }: TuningProject): object {
  const sessions = readdirSync(join(folder, '.assay/tune')).filter(name => name.startsWith('tables-'))
  expect(sessions).toHaveLength(1)
  const { finished, ...result } = JSON.parse(
    readFileSync(join(folder, '.assay/tune', `${sessions[0]}`, 'result.json'), 'utf8'),
  )
  return result
}

it('decides the same after it was killed ten times', async () => {
  const [whole, killed] = [await project(), await project()]
  const { code } = await assay(TUNE, { cwd: whole.folder })
  expect(code).toBe(0)
  const random = seededRandom(5)
  let kills = 0
  for (let attempt = 0; attempt < KILLS; attempt++) kills += Number(await killLater(killed, random))
  expect(kills).toBeGreaterThan(KILLS / 2)
  const resumed = await assay(TUNE, { cwd: killed.folder })
  expect(resumed, resumed.stderr).toMatchObject({ code })
  expect(resultIn(killed)).toEqual(resultIn(whole))
  // What was recorded is not asked again: each kill loses only what was in flight.
  expect(killed.starts().length).toBeLessThanOrEqual(whole.starts().length + 2 * KILLS)
})
