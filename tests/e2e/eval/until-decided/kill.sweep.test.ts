import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../../src/lib/seeded-random.ts'
import { assay, PROGRAM } from '../../../support/program.ts'
import { onlyRun, qualityFolder } from './quality-agent.ts'

const KILLS = 20

/** How many attempts are recorded; 0 before the run begins. */
function recordedIn(folder: string): number {
  return existsSync(join(folder, '.assay/runs/latest')) ? onlyRun(folder).recorded : 0
}

/** Kills a run when it has made some more attempts; returns false if it ended before. */
async function killLater(folder: string, args: readonly string[], random: () => number): Promise<boolean> {
  const before = recordedIn(folder)
  const child = spawn(process.execPath, [PROGRAM, 'eval', ...args], { cwd: folder, stdio: 'ignore' })
  const ended = new Promise<boolean>(resolve => child.on('exit', (_, signal) => resolve(signal === 'SIGKILL')))
  const more = 1 + Math.floor(random() * 8)
  while (child.exitCode === null && recordedIn(folder) < before + more) await sleep(2)
  await sleep(random() * 20)
  child.kill('SIGKILL')
  return ended
}

it('decides the same after it was killed twenty times', async () => {
  const folderOf = () =>
    qualityFolder(
      40,
      { candidate: { rate: 0.72, slow: 25 }, control: { rate: 0.9, seed: 2, slow: 10 } },
      { target: 'candidate', control: 'control' },
    )
  const args = ['--until-decided', '--seed', '11', '--workers', '3']
  const [whole, killed] = [folderOf(), folderOf()]
  const { code } = await assay(['eval', ...args], { cwd: whole })
  const random = seededRandom(3)
  let kills = 0
  for (let attempt = 0; attempt < KILLS; attempt++)
    kills += Number(await killLater(killed, attempt === 0 ? args : ['--resume', '--workers', '3'], random))
  expect(kills).toBeGreaterThan(KILLS / 2)
  const resumed = await assay(['eval', '--resume'], { cwd: killed })
  expect(resumed.code).toBe(code)
  expect(onlyRun(killed).info.decisions).toEqual(onlyRun(whole).info.decisions)
})
