import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../support/seeded-random.ts'
import { endLeftovers, evaluate, type Recorded, recordsIn, resultsIn, runFolder } from '../../../support/suite-run.ts'
import { answersFile, callsIn, resultsFile, start, suite, tests, WORKERS, waitForExit } from './call-log.ts'

afterEach(endLeftovers)

function countsOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** The attempts with a recorded answer or result. */
function recordedAttempts(folder: string): string[] {
  if (!existsSync(join(folder, '.assay/runs/latest'))) return []
  return [answersFile(folder), resultsFile(folder)].flatMap(path =>
    recordsIn<{ attempt_id: string }>(path).map(({ attempt_id }) => attempt_id),
  )
}

/** Kills a run after a random number of further calls. */
async function killAtRandomTime(folder: string, args: readonly string[], random: () => number): Promise<void> {
  const before = callsIn(folder).length
  const child = start(folder, args)
  const end = waitForExit(child)
  const more = Math.floor(random() * 16)
  while (child.exitCode === null && callsIn(folder).length < before + more) await sleep(2)
  await sleep(random() * (more === 0 ? 400 : 30))
  child.kill('SIGKILL')
  expect(await end).toEqual({ code: null, signal: 'SIGKILL' })
}

describe('kill -9', () => {
  it('loses only attempts in flight: 500 attempts, killed twenty times', async () => {
    const folder = suite(tests(500))
    const random = seededRandom(7)
    const callsWhenRecorded = new Map<string, number>()
    for (let kill = 0; kill < 20; kill++) {
      await killAtRandomTime(folder, kill === 0 ? [] : ['--resume'], random)
      const calls = countsOf(callsIn(folder))
      for (const id of recordedAttempts(folder)) {
        // Recorded attempts have not been repeated.
        expect([id, calls.get(id)]).toEqual([id, callsWhenRecorded.get(id) ?? calls.get(id)])
        callsWhenRecorded.set(id, calls.get(id) ?? 0)
      }
    }
    expect(callsWhenRecorded.size).toBeGreaterThan(50)
    expect(callsWhenRecorded.size).toBeLessThan(500)
    const { code, stderr } = await evaluate(folder, ['--resume', '-o', 'all.jsonl'])
    expect(stderr).toContain('500 tests: 500 passed')
    expect(code).toBe(0)
    const ids = resultsIn(folder).map(({ test_id }) => test_id)
    expect(ids).toHaveLength(500)
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: 500 }, (_, index) => `t${index}`)))
    const calls = countsOf(callsIn(folder))
    for (const [id, count] of callsWhenRecorded) expect([id, calls.get(id)]).toEqual([id, count])
    expect(calls.size).toBe(500)
    expect(callsIn(folder).length).toBeLessThanOrEqual(500 + 20 * WORKERS)
    expect(callsIn(folder).length).toBeGreaterThan(500)
    // Reports are in the order of the plan, unlike the records.
    const report = recordsIn<Recorded>(join(folder, 'all.jsonl'))
    expect(report.map(({ test_id }) => test_id)).toEqual(Array.from({ length: 500 }, (_, index) => `t${index}`))
    expect(readdirSync(runFolder(folder))).not.toContain('lock')
  })
})

describe('several processes', () => {
  it('never work on one run at the same time', async () => {
    const folder = suite(tests(8))
    writeFileSync(join(folder, 'wait'), '')
    const first = start(folder, [])
    const end = waitForExit(first)
    await expect.poll(() => callsIn(folder), { timeout: 60_000 }).toHaveLength(WORKERS)
    for (const args of [['--resume'], ['--rerun-failed'], [`--resume=${runFolder(folder)}`]]) {
      const { code, stderr } = await evaluate(folder, args)
      expect(stderr).toContain('is locked by process')
      expect(code).toBe(2)
    }
    expect(callsIn(folder)).toHaveLength(WORKERS)
    rmSync(join(folder, 'wait'))
    expect(await end).toEqual({ code: 0, signal: null })
    expect(resultsIn(folder)).toHaveLength(8)
    expect((await evaluate(folder, ['--resume'])).code).toBe(0)
    expect(callsIn(folder)).toHaveLength(8)
  })

  it('never both take over the run of a killed process', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = suite(tests(1))
      writeFileSync(join(folder, 'wait'), '')
      const first = start(folder, [])
      await expect.poll(() => callsIn(folder), { timeout: 60_000 }).toHaveLength(1)
      first.kill('SIGKILL')
      await waitForExit(first)
      rmSync(join(folder, 'calls.txt'))
      const all = Array.from({ length: 8 }, () => start(folder, ['--resume']))
      const ends = Promise.all(all.map(waitForExit))
      const refused = () => all.filter(({ exitCode }) => exitCode !== null).length
      // Each process has either asked or exited.
      await expect.poll(() => refused() + callsIn(folder).length, { timeout: 60_000 }).toBe(all.length)
      expect(callsIn(folder)).toHaveLength(1)
      rmSync(join(folder, 'wait'))
      expect((await ends).map(({ code }) => code).sort()).toEqual([0, 2, 2, 2, 2, 2, 2, 2])
    }
  })
})
