import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { type LogContent, type Logs, logsWith, runOf } from '../../support/logs/log-files.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { buildWriter, startWriter } from './log-writers.ts'

const WRITERS = Array.from({ length: 8 }, (_, index) => `w${index}`)

let writer: string
beforeAll(async () => {
  writer = await buildWriter()
})

/** The id of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

function staleLock(pid = deadProcess()): string {
  return JSON.stringify({ pid, host: hostname(), nonce: 0.5 })
}

/** Runs eight writers that begin at the same time. */
async function writeTogether(logs: Logs, inputs: readonly string[], runs: number): Promise<void> {
  const { path } = logs
  const writers = await Promise.all(WRITERS.map(label => startWriter(writer, { path, label, inputs, runs })))
  for (const { go } of writers) go()
  const ends = await Promise.all(writers.map(({ ended }) => ended))
  expect(ends).toEqual(WRITERS.map(() => ({ code: 0, signal: null, stderr: '' })))
}

function numbersDown(from: number): number[] {
  return Array.from({ length: from }, (_, index) => from - index)
}

function outputsOf(runs: number): string[] {
  return WRITERS.flatMap(label => Array.from({ length: runs }, (_, index) => `${label}-${index + 1}`)).sort()
}

/** Expects a log with every run of every writer once, and all run files. */
function expectAllRuns(logs: Logs, name: string, runs: number): void {
  const all = WRITERS.length * runs
  const { runs: counted, turns } = logs.yaml(name)
  expect([counted, turns.length, turns[0].run]).toEqual([all, 1, all])
  const { history } = turns[0]
  expect(history.map(({ run }: LogContent) => run)).toEqual(numbersDown(all - 1))
  const byRun = new Map([turns[0], ...history].map(({ run, output }: LogContent) => [run, output]))
  expect([...byRun.values()].sort()).toEqual(outputsOf(runs))
  const files = numbersDown(all).map(run => `run_${run}.yaml`)
  expect(logs.names(name)).toEqual(files.sort())
  for (const [run, output] of byRun) {
    const { messages } = load(logs.text(`${name}/run_${run}.yaml`)) as LogContent
    expect([run, JSON.parse(messages).at(-1).content]).toEqual([run, output])
  }
}

describe('eight concurrent writers', () => {
  it('lose no run of the same input: 25 runs each', async () => {
    const logs = logsWith()
    await writeTogether(logs, ['Say hello to Alice'], 25)
    expectAllRuns(logs, 'say_hello_to_alice', 25)
    expect(logs.names()).toEqual(['say_hello_to_alice', 'say_hello_to_alice.yaml'])
  })

  it('take over the locks of dead processes, and give each conversation its own file', async () => {
    const locked = Array.from({ length: 20 }, (_, index) => `locked ${'abcdefghijklmnopqrst'[index]}`)
    const alike = ['Say hi!', 'Say hi?', 'say: hi', 'Say hi...']
    const lock = staleLock()
    const logs = logsWith(Object.fromEntries(locked.map(input => [`.${input.replace(' ', '_')}.lock`, lock])))
    await writeTogether(logs, [...locked, ...alike], 2)
    const names = locked.map(input => input.replace(' ', '_'))
    const others = ['say_hi', 'say_hi_2', 'say_hi_3', 'say_hi_4']
    for (const name of [...names, ...others]) expectAllRuns(logs, name, 2)
    expect(others.map(name => logs.yaml(name).turns[0].input).sort()).toEqual([...alike].sort())
    expect(others.map(name => logs.yaml(name).name)).toEqual(others)
    expect(logs.names()).toEqual([...names, ...others].flatMap(name => [name, `${name}.yaml`]).sort())
  })
})

describe('the lock of a log', () => {
  it('is taken over if it is unreadable', async () => {
    const logs = logsWith({ '.hi.lock': '' })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 1 })
    expect(logs.names()).toEqual(['hi', 'hi.yaml'])
  })

  it('is awaited if its process is alive', async () => {
    const logs = logsWith({ '.hi.lock': staleLock(process.ppid) })
    const adding = logs.add(runOf('hi'))
    await sleep(50)
    expect(logs.names()).not.toContain('hi.yaml')
    writeFileSync(join(logs.path, '.hi.lock'), staleLock())
    expect(await adding).toEqual({ name: 'hi', run: 1 })
  })
})

describe('kill -9', () => {
  const expected = 'What was written by hand. '.repeat(100)
  const first = { run: 1, output: 'a', expected }

  /** The number of runs in a log, which must be complete and keep all earlier runs. */
  function runsIn(logs: Logs, before: LogContent[]): LogContent[] {
    const { runs, turns, note } = logs.yaml('hi')
    const [turn] = turns
    expect([turns.length, turn.input, turn.run, note]).toEqual([1, 'hi', runs, 'mine'])
    const all = [turn, ...turn.history].map(({ input, history, ...run }: LogContent) => run)
    expect(all.slice(all.length - before.length)).toEqual(before)
    const numbers = all.map(({ run }) => run)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a))
    for (const { run, output, expected: kept } of all.slice(0, all.length - before.length)) {
      expect([run, kept]).toEqual([run, expected])
      expect([run, lastWords(logs, `hi/run_${run}.yaml`)]).toEqual([run, output])
    }
    return all
  }

  function lastWords(logs: Logs, file: string): string {
    const { messages } = load(logs.text(file)) as LogContent
    return JSON.parse(messages).at(-1).content
  }

  /** Kills a writer at a random time after some more runs. */
  async function killWriter(logs: Logs, label: string, random: () => number): Promise<void> {
    const { child, ended, go } = await startWriter(writer, { path: logs.path, label, inputs: ['hi'] })
    const enough = logs.names('hi').length + Math.floor(random() * 4)
    go()
    while (logs.names('hi').length < enough) await sleep(1)
    await sleep(random() * 15)
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
  }

  it('leaves the old or the new log, never a partial one: sixty kills', async () => {
    const random = seededRandom(11)
    const met = { lock: 0, draft: 0, runs: 0 }
    for (let log = 0; log < 4; log++) {
      const logs = logsWith({
        'hi.yaml': JSON.stringify({ note: 'mine', runs: 1, turns: [{ input: 'hi', ...first, history: [] }] }),
      })
      let before: LogContent[] = [first]
      for (let kill = 1; kill <= 15; kill++) {
        await killWriter(logs, `k${kill}`, random)
        const after = runsIn(logs, before)
        const files = logs.names('hi').filter(name => name.endsWith('.yaml'))
        for (const file of files) expect(lastWords(logs, `hi/${file}`)).toMatch(/^(k\d+-\d+|after)$/)
        const left = [...logs.names(), ...logs.names('hi')]
        met.lock += Number(left.includes('.hi.lock'))
        met.draft += Number(left.some(name => name.endsWith('.tmp')))
        met.runs += after.length - before.length
        const highest = Math.max(after[0].run, ...files.map(file => Number(/\d+/.exec(file))))
        expect(await logs.add(runOf('hi', 'after'))).toEqual({ name: 'hi', run: highest + 1 })
        before = runsIn(logs, after)
      }
      expect(logs.warnings).toEqual([])
    }
    // Most kills must hit a writer at work.
    expect(met.runs).toBeGreaterThan(30)
    expect(met.lock).toBeGreaterThan(0)
    expect(met.draft).toBeGreaterThan(0)
  })
})
