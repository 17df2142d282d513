import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../support/servers/server.ts'
import { cycle, FaultedSuite, useTemporaryFolder } from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import type { HostCall } from './faulty-host.ts'

/*
 * Each host call fails once, in a separate run: the records are always correct, and a resumed run without faults
 * completes them.
 */

useTemporaryFolder()

let server: Server
beforeAll(async () => {
  server = await echoServer()
})
afterAll(() => server.close())

describe('a run without programs recovers from', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock', 'web'], { hasJudge: false }))
    await suite.runWithoutFaults()
    expect(suite.expected.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  it('a record that cannot be written', () =>
    suite.expectRecoveryFromEach(callsOf('append'), cycle('ENOSPC', 'EROFS', 'EIO', 'EDQUOT')))

  it('a record that is half written and cannot be truncated', () =>
    suite.expectRecoveryFromEach(callsOf('append'), () => ({ torn: 'ENOSPC' })))

  it('a folder that cannot be created, opened, locked or closed', () =>
    suite.expectRecoveryFromEach(
      callsOf('makeFolder', 'lock', 'release', 'openAppend', 'close', 'write', 'writeNew'),
      cycle('ENOSPC', 'EACCES', 'EMFILE', 'EIO'),
    ))

  it('a file that is written partially', () =>
    suite.expectRecoveryFromEach(callsOf('write'), () => ({ torn: 'ENOSPC' })))

  it('a file that cannot be read or inspected', () =>
    suite.expectRecoveryFromEach(
      callsOf('read', 'findBelow', 'readAt', 'stat').filter(({ name, nth }) => name !== 'stat' || nth % 5 === 1),
      cycle('EIO', 'EMFILE', 'ENFILE', 'ENOMEM'),
    ))

  it('a failed connection, by a retry', async () => {
    await suite.expectRecoveryFromEach(
      callsOf('request').slice(0, 4),
      cycle('ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET'),
    )
  })
})

describe('a run with programs recovers from', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['program', 'worker']))
    await suite.runWithoutFaults()
    expect(suite.expected.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  /** Every third call; the others are the same calls for other attempts. */
  const isChosen = ({ nth }: HostCall) => nth % 3 === 1

  it('a temporary folder or file that cannot be created or removed', () =>
    suite.expectRecoveryFromEach(
      callsOf('makeTemporaryFolder', 'writeNew', 'copyFolder', 'copyFile', 'remove', 'removeTemporaryFolder').filter(
        isChosen,
      ),
      cycle('ENOSPC', 'EACCES', 'EMFILE', 'EROFS'),
    ))

  it('a program that cannot start', () =>
    suite.expectRecoveryFromEach(
      callsOf('run').filter(({ nth }) => nth % 2 === 1),
      cycle('EAGAIN', 'ENOENT', 'ENOMEM', 'EMFILE', 'EACCES'),
    ))

  it('a file that cannot be read or inspected during the run', () => {
    const begun = suite.calls.find(({ name }) => name === 'openAppend')?.at ?? 0
    return suite.expectRecoveryFromEach(
      callsOf('read', 'stat', 'realPath').filter(call => call.at > begun && isChosen(call)),
      cycle('EIO', 'EACCES', 'ENFILE'),
    )
  })

  it('a record that cannot be written while programs run', () =>
    suite.expectRecoveryFromEach(
      callsOf('append').filter((_, index) => index % 4 === 0),
      cycle('ENOSPC', 'EIO'),
    ))
})
