import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import type { Server } from '../support/servers/server.ts'
import { expectNoProcesses, recordsIn } from '../support/suite-run.ts'
import {
  evalIn,
  expectCompleted,
  expectConsistent,
  FaultedSuite,
  lastRun,
  recordedResults,
  useTemporaryFolder,
} from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import type { Fault, HostCall } from './faulty-host.ts'

useTemporaryFolder()

let server: Server
let small: FaultedSuite
beforeAll(async () => {
  server = await echoServer()
  small = new FaultedSuite(faultedSuite(4, 1, server.url))
  await small.runWithoutFaults()
  expect(small.expected.size).toBe(16)
})
afterAll(() => server.close())

const WRITING = new Set([
  ...['append', 'write', 'writeNew', 'openAppend', 'makeFolder', 'makeTemporaryFolder', 'copyFile', 'copyFolder'],
  ...['lock', 'rename'],
])

describe('a run recovers from a persistent fault', () => {
  /** Every `step`-th host call of a run. */
  const moments = (step: number) => small.calls.filter(({ at }) => at % step === 0).map(({ at }) => at)

  it('if the disk is full', async () => {
    for (const moment of moments(24)) {
      await small.expectRecovery(({ at, name }) => (at >= moment && WRITING.has(name) ? { torn: 'ENOSPC' } : undefined))
    }
  })

  it('if it has no permission to write or remove', async () => {
    const isChange = (name: string) => WRITING.has(name) || name.startsWith('remove')
    for (const moment of moments(40))
      await small.expectRecovery(({ at, name }) => (at >= moment && isChange(name) ? 'EROFS' : undefined))
  })

  it('if too many files are open', async () => {
    const opens = new Set([...WRITING, 'read', 'run', 'request', 'readAt', 'findBelow'])
    opens.delete('append')
    for (const moment of moments(40))
      await small.expectRecovery(({ at, name }) => (at >= moment && opens.has(name) ? 'EMFILE' : undefined))
  })

  it('if there is no connection: an error of the attempt after retries', async () => {
    const { code, output } = await small.expectRecovery(({ name }) => (name === 'request' ? 'ENOTFOUND' : undefined))
    expect(code).toBe(EXIT.incomplete)
    expect(output).toContain('network: the connection failed: ENOTFOUND: it went wrong')
    expect(output).toContain('(asked 4 times)')
  })

  it('if no program can start', async () => {
    const { code, output } = await small.expectRecovery(({ name }) => (name === 'run' ? 'EAGAIN' : undefined))
    expect(code).toBe(EXIT.incomplete)
    expect(output).toContain('program-missing: `sh` could not be started: EAGAIN: it went wrong')
    expect(output).toContain('judge-missing: the judge `sh` could not be started: EAGAIN: it went wrong')
  })
})

it('resumes a run whose last lines were truncated, as after a crash', async () => {
  const suite = new FaultedSuite(faultedSuite(2, 1, server.url, ['mock'], { hasJudge: false }))
  suite.clean()
  await evalIn(suite.folder)
  const expected = recordedResults(suite.folder)
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
    const { code, output } = await evalIn(suite.folder, undefined, ['--quiet', '--resume'])
    expect([code, Object.fromEntries(recordedResults(suite.folder))], output).toEqual([
      EXIT.ok,
      Object.fromEntries(expected),
    ])
    const ids = recordsIn<{ attempt_id: string }>(files[1] ?? '').map(({ attempt_id }) => attempt_id)
    expect(new Set(ids).size, `${cut}`).toBe(ids.length)
  }
})

describe('a run', () => {
  const HOUR = 3_600_000

  it.each([
    ['back', -HOUR],
    ['ahead', HOUR],
  ])('is correct if the clock jumps an hour %s', async (_, jump) => {
    const plain = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock'], { hasJudge: false }))
    await plain.runWithoutFaults()
    plain.clean()
    let calls = 0
    const result = await evalIn(plain.folder, undefined, ['--quiet', '--log'], real =>
      calls++ < 8 ? real : real + jump,
    )
    expect([result.code, Object.fromEntries(recordedResults(plain.folder))]).toEqual([
      EXIT.failed,
      Object.fromEntries(plain.expected),
    ])
    expect(result.output).toContain('4 tests')
    // By the clock, the next run starts before the last one.
    const next = await evalIn(plain.folder, undefined, undefined, real => real - 2 * HOUR)
    expect(next.code).toBe(EXIT.failed)
    await expectCompleted(plain.folder, plain.expected)
  })
})

/** A seeded generator of numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('a run of 200 attempts recovers', () => {
  let large: FaultedSuite
  beforeAll(async () => {
    large = new FaultedSuite(faultedSuite(25, 2, server.url))
    await large.runWithoutFaults()
    expect(large.expected.size).toBe(200)
  })

  const TRANSIENT = new Set([
    'makeTemporaryFolder',
    'run',
    'request',
    'copyFolder',
    'copyFile',
    'remove',
    'removeTemporaryFolder',
  ])
  const CODES = ['ENOSPC', 'EIO', 'EMFILE', 'EAGAIN', 'ENOMEM', 'EACCES']

  it('from random errors in every tenth call', async () => {
    const random = randomFrom(1)
    const faultAt = ({ name }: HostCall): Fault | undefined =>
      TRANSIENT.has(name) && random() < 0.1 ? CODES[Math.floor(random() * CODES.length)] : undefined
    const { code, world } = await large.expectRecovery(faultAt)
    expect(code).toBe(EXIT.incomplete)
    expect(world.faulted.length).toBeGreaterThan(10)
    expect([...recordedResults(large.folder).keys()].filter(id => large.expected.has(id))).toHaveLength(200)
  })

  it('from a disk that is full several times', async () => {
    large.clean()
    // Together fewer than the 150 answers that are written alone. How many results share a write depends on the machine.
    for (const most of [40, 45, 50]) {
      const result = await evalIn(
        large.folder,
        ({ name, nth }) => (name === 'append' && nth > most ? { torn: 'ENOSPC' } : undefined),
        ['--quiet', '--resume'],
      )
      expect(result.code).toBe(EXIT.incomplete)
      expect(result.output).toMatch(/^Cannot write the records: ENOSPC/m)
      expect(result.output).toMatch(/^Resume with: assay eval --resume=/m)
      expectConsistent(large.folder, large.expected, result)
    }
    await expectCompleted(large.folder, large.expected)
    await expectNoProcesses(large.folder)
  })
})
