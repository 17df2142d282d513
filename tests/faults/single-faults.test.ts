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

describe('a single fault in a run without programs', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock', 'web'], { hasJudge: false }))
    await suite.runWhole()
    expect(suite.whole.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  it('a record that cannot be written', () =>
    suite.expectEachMended(callsOf('append'), turnsOf('ENOSPC', 'EROFS', 'EIO', 'EDQUOT')))

  it('a record of which only half is written and cannot be removed', () =>
    suite.expectEachMended(callsOf('append'), () => ({ torn: 'ENOSPC' })))

  it('a folder that cannot be created, opened, locked or closed', () =>
    suite.expectEachMended(
      callsOf('makeFolder', 'lock', 'release', 'openAppend', 'close', 'write', 'writeNew'),
      turnsOf('ENOSPC', 'EACCES', 'EMFILE', 'EIO'),
    ))

  it('a file that is written partially', () => suite.expectEachMended(callsOf('write'), () => ({ torn: 'ENOSPC' })))

  it('a file that cannot be read or inspected', () =>
    suite.expectEachMended(
      callsOf('read', 'findBelow', 'readAt', 'stat').filter(({ name, nth }) => name !== 'stat' || nth % 5 === 1),
      turnsOf('EIO', 'EMFILE', 'ENFILE', 'ENOMEM'),
    ))

  it('a failed connection is retried', async () => {
    await suite.expectEachMended(
      callsOf('fetch').slice(0, 4),
      turnsOf('ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET'),
    )
  })
})

describe('a single fault in a run with programs', () => {
  let suite: FaultedSuite
  beforeAll(async () => {
    suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['program', 'worker']))
    await suite.runWhole()
    expect(suite.whole.size).toBe(8)
  })
  const callsOf = (...names: string[]) => suite.calls.filter(({ name }) => names.includes(name))

  /** The others do the same for another attempt. */
  const isChosen = ({ nth }: HostCall) => nth % 3 === 1

  it('a temporary folder or file that cannot be created or removed', () =>
    suite.expectEachMended(
      callsOf('makeTemporaryFolder', 'writeNew', 'copyFolder', 'copyFile', 'remove', 'removeTemporaryFolder').filter(
        isChosen,
      ),
      turnsOf('ENOSPC', 'EACCES', 'EMFILE', 'EROFS'),
    ))

  it('a program that cannot start', () =>
    suite.expectEachMended(
      callsOf('run').filter(({ nth }) => nth % 2 === 1),
      turnsOf('EAGAIN', 'ENOENT', 'ENOMEM', 'EMFILE', 'EACCES'),
    ))

  it('a file that cannot be read or inspected during the run', () => {
    const begun = suite.calls.find(({ name }) => name === 'openAppend')?.at ?? 0
    return suite.expectEachMended(
      callsOf('read', 'stat', 'realPath').filter(call => call.at > begun && isChosen(call)),
      turnsOf('EIO', 'EACCES', 'ENFILE'),
    )
  })

  it('a record that cannot be written while programs run', () =>
    suite.expectEachMended(
      callsOf('append').filter((_, index) => index % 4 === 0),
      turnsOf('ENOSPC', 'EIO'),
    ))
})
