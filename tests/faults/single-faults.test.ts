import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../support/server.ts'
import { FaultedSuite, turnsOf, watchTheWorld } from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import type { HostCall } from './faulty-host.ts'

/*
 * Each call to the world goes wrong once, in a run of its own: whatever that does to the run, its records are right,
 * and a run that goes on without faults completes them.
 */

watchTheWorld()

let server: Server
beforeAll(async () => {
  server = await echoServer()
})
afterAll(() => server.close())

describe('of a run without programs', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock', 'web'], { hasJudge: false }))
    await suite.runWhole()
    expect(suite.whole.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  it('a record that cannot be written', () =>
    suite.expectEachMended(callsOf('append'), turnsOf('ENOSPC', 'EROFS', 'EIO', 'EDQUOT')))

  it('a record of which only half can be written, and not be taken back', () =>
    suite.expectEachMended(callsOf('append'), () => ({ torn: 'ENOSPC' })))

  it('a folder that cannot be made, opened, locked or closed', () =>
    suite.expectEachMended(
      callsOf('makeFolder', 'lock', 'release', 'openAppend', 'close', 'write', 'writeNew'),
      turnsOf('ENOSPC', 'EACCES', 'EMFILE', 'EIO'),
    ))

  it('a file that is written only in part', () => suite.expectEachMended(callsOf('write'), () => ({ torn: 'ENOSPC' })))

  it('what cannot be read or looked at', () =>
    suite.expectEachMended(
      callsOf('read', 'findBelow', 'readAt', 'stat').filter(({ name, nth }) => name !== 'stat' || nth % 5 === 1),
      turnsOf('EIO', 'EMFILE', 'ENFILE', 'ENOMEM'),
    ))

  it('a connection that fails is tried again', async () => {
    await suite.expectEachMended(
      callsOf('fetch').slice(0, 4),
      turnsOf('ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET'),
    )
  })
})

describe('of a run with programs', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['program', 'worker']))
    await suite.runWhole()
    expect(suite.whole.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  /** The others do the same for another attempt. */
  const isChosen = ({ nth }: HostCall) => nth % 3 === 1

  it('a temporary folder or a file in it that cannot be made or removed', () =>
    suite.expectEachMended(
      callsOf('makeTemporaryFolder', 'writeNew', 'copyFolder', 'copyFile', 'remove', 'removeTemporaryFolder').filter(
        isChosen,
      ),
      turnsOf('ENOSPC', 'EACCES', 'EMFILE', 'EROFS'),
    ))

  it('a program that cannot be started', () =>
    suite.expectEachMended(
      callsOf('run').filter(({ nth }) => nth % 2 === 1),
      turnsOf('EAGAIN', 'ENOENT', 'ENOMEM', 'EMFILE', 'EACCES'),
    ))

  it('what cannot be read or looked at while it goes', () => {
    const begun = suite.calls.find(({ name }) => name === 'openAppend')?.at ?? 0
    return suite.expectEachMended(
      callsOf('read', 'stat', 'realPath').filter(call => call.at > begun && isChosen(call)),
      turnsOf('EIO', 'EACCES', 'ENFILE'),
    )
  })

  it('a record of it that cannot be written', () =>
    suite.expectEachMended(
      callsOf('append').filter((_, index) => index % 4 === 0),
      turnsOf('ENOSPC', 'EIO'),
    ))
})
