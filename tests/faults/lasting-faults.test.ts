import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import type { Server } from '../support/server.ts'
import { expectNobodyLeft, recordsIn } from '../support/suite-run.ts'
import { evalIn, expectCompleted, expectOrder, FaultedSuite, lastRun, recorded, watchTheWorld } from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import type { Fault, HostCall } from './faulty-host.ts'

watchTheWorld()

let server: Server
let small: FaultedSuite
beforeAll(async () => {
  server = await echoServer()
  small = new FaultedSuite(faultedSuite(4, 1, server.url))
  await small.runWhole()
  expect(small.whole.size).toBe(16)
})
afterAll(() => server.close())

const WRITING = new Set([
  ...['append', 'write', 'writeNew', 'openAppend', 'makeFolder', 'makeTemporaryFolder', 'copyFile', 'copyFolder'],
  ...['lock', 'rename'],
])

describe('a lasting fault', () => {
  /** Every so many of the calls that a run makes. */
  const moments = (step: number) => small.calls.filter(({ at }) => at % step === 0).map(({ at }) => at)

  it('the disk is full', async () => {
    for (const moment of moments(24)) {
      await small.expectMended(({ at, name }) => (at >= moment && WRITING.has(name) ? { torn: 'ENOSPC' } : undefined))
    }
  })

  it('no permission to write or remove', async () => {
    const isChange = (name: string) => WRITING.has(name) || name.startsWith('remove')
    for (const moment of moments(40))
      await small.expectMended(({ at, name }) => (at >= moment && isChange(name) ? 'EROFS' : undefined))
  })

  it('too many open files', async () => {
    const opens = new Set([...WRITING, 'read', 'run', 'fetch', 'readAt', 'findBelow'])
    opens.delete('append')
    for (const moment of moments(40))
      await small.expectMended(({ at, name }) => (at >= moment && opens.has(name) ? 'EMFILE' : undefined))
  })

  it('no connection: an error of the attempt after retries', async () => {
    const { code, said } = await small.expectMended(({ name }) => (name === 'fetch' ? 'ENOTFOUND' : undefined))
    expect(code).toBe(EXIT.incomplete)
    expect(said).toContain('network: the connection failed: ENOTFOUND: it went wrong')
    expect(said).toContain('(asked 4 times)')
  })

  it('no program can start', async () => {
    const { code, said } = await small.expectMended(({ name }) => (name === 'run' ? 'EAGAIN' : undefined))
    expect(code).toBe(EXIT.incomplete)
    expect(said).toContain('program-missing: `sh` could not be started: EAGAIN: it went wrong')
    expect(said).toContain('judge-missing: the judge `sh` could not be started: EAGAIN: it went wrong')
  })
})

it('the last lines are truncated anywhere, as after a crash', async () => {
  const suite = new FaultedSuite(faultedSuite(2, 1, server.url, ['mock'], { hasJudge: false }))
  suite.clean()
  await evalIn(suite.folder)
  const whole = recorded(suite.folder)
  const run = lastRun(suite.folder) ?? ''
  const files = ['answers.jsonl', 'results.jsonl'].map(name => join(run, name))
  const texts = files.map(file => readFileSync(file, 'utf8'))
  const longest = Math.max(...texts.map(text => text.length))
  for (let cut = 1; cut < longest; cut += 97) {
    for (const [index, file] of files.entries()) {
      const text = texts[index] ?? ''
      writeFileSync(file, text)
      truncateSync(file, Math.max(0, text.length - cut))
    }
    const { code, said } = await evalIn(suite.folder, undefined, ['--quiet', '--resume'])
    expect([code, Object.fromEntries(recorded(suite.folder))], said).toEqual([EXIT.ok, Object.fromEntries(whole)])
    const ids = recordsIn<{ attempt_id: string }>(files[1] ?? '').map(({ attempt_id }) => attempt_id)
    expect(new Set(ids).size, `${cut}`).toBe(ids.length)
  }
})

describe('the clock', () => {
  const HOUR = 3_600_000

  it.each([
    ['back', -HOUR],
    ['ahead', HOUR],
  ])('jumps an hour %s in the middle', async (_, jump) => {
    const plain = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock'], { hasJudge: false }))
    await plain.runWhole()
    plain.clean()
    let calls = 0
    const ended = await evalIn(plain.folder, undefined, ['--quiet', '--log'], real =>
      calls++ < 8 ? real : real + jump,
    )
    expect([ended.code, Object.fromEntries(recorded(plain.folder))]).toEqual([
      EXIT.failed,
      Object.fromEntries(plain.whole),
    ])
    expect(ended.said).toContain('4 tests')
    // The next run begins, by the clock, before the last one.
    const next = await evalIn(plain.folder, undefined, undefined, real => real - 2 * HOUR)
    expect(next.code).toBe(EXIT.failed)
    await expectCompleted(plain.folder, plain.whole)
  })
})

/** A number in 0..1 from a seed, the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('200 attempts', () => {
  let large: FaultedSuite
  beforeAll(async () => {
    large = new FaultedSuite(faultedSuite(25, 2, server.url))
    await large.runWhole()
    expect(large.whole.size).toBe(200)
  })

  const PASSING = new Set([
    'makeTemporaryFolder',
    'run',
    'fetch',
    'copyFolder',
    'copyFile',
    'remove',
    'removeTemporaryFolder',
  ])
  const CODES = ['ENOSPC', 'EIO', 'EMFILE', 'EAGAIN', 'ENOMEM', 'EACCES']

  it('with random errors in every tenth call', async () => {
    const random = randomFrom(1)
    const faultAt = ({ name }: HostCall): Fault | undefined =>
      PASSING.has(name) && random() < 0.1 ? CODES[Math.floor(random() * CODES.length)] : undefined
    const { code, world } = await large.expectMended(faultAt)
    expect(code).toBe(EXIT.incomplete)
    expect(world.faulted.length).toBeGreaterThan(10)
    expect([...recorded(large.folder).keys()].filter(id => large.whole.has(id))).toHaveLength(200)
  })

  it('on a disk that is full twice', async () => {
    large.clean()
    for (const most of [101, 102, 150]) {
      const ended = await evalIn(
        large.folder,
        ({ name, nth }) => (name === 'append' && nth > most ? { torn: 'ENOSPC' } : undefined),
        ['--quiet', '--resume'],
      )
      expect(ended.code).toBe(EXIT.incomplete)
      expect(ended.said).toMatch(/^Cannot write the records: ENOSPC/m)
      expect(ended.said).toMatch(/^Resume with: assay eval --resume=/m)
      expectOrder(large.folder, large.whole, ended)
    }
    await expectCompleted(large.folder, large.whole)
    await expectNobodyLeft(large.folder)
  })
})
