import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeCrash } from '../../src/cli/crash.ts'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { isSystemError } from '../../src/lib/system-error.ts'
import { withAgentHome } from '../../src/providers/shared/agents/agent-home.ts'
import { folderWith } from '../support/program.ts'
import { askContext } from '../support/servers/ask-model.ts'
import type { Server } from '../support/servers/server.ts'
import { evalIn, FaultedSuite, lastRun, recordedResults, useTemporaryFolder } from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import { faultyHost, systemError } from './faulty-host.ts'

useTemporaryFolder()

let server: Server
let suite: FaultedSuite
beforeAll(async () => {
  server = await echoServer()
  suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['program', 'worker']))
  await suite.runWithoutFaults()
})
afterAll(() => server.close())

it('survives a lock that is removed during a run', async () => {
  suite.clean()
  const { code, output } = await evalIn(suite.folder, ({ name, nth }) => {
    if (name === 'append' && nth === 3) rmSync(join(lastRun(suite.folder) ?? '', 'lock'))
    return undefined
  })
  expect([code, Object.fromEntries(recordedResults(suite.folder))], output).toEqual([
    EXIT.failed,
    Object.fromEntries(suite.expected),
  ])
})

it('reports removed temporary folders as errors of their attempts', async () => {
  suite.clean()
  const temporary = process.env['TMPDIR'] ?? ''
  const { code, output } = await evalIn(suite.folder, ({ name, nth }) => {
    if (name === 'run' && nth % 2 === 0)
      for (const each of readdirSync(temporary))
        if (!each.startsWith('assay-test-')) rmSync(join(temporary, each), { recursive: true, force: true })
    return undefined
  })
  expect(code, output).toBe(EXIT.incomplete)
  expect(recordedResults(suite.folder).size).toBe(8)
  expect(output).not.toContain('bug')
  expect(output).toMatch(/^ +(program-failed|program-missing|empty-answer|judge-missing|system-error|bad-workspace): /m)
})

it('leaves no folder if the configuration of an agent cannot be written', async () => {
  const home = folderWith({ 'skill/SKILL.md': '---\nname: skill\n---\n' })
  const { host, waiting, kept } = faultyHost(home, ({ name }) => (name === 'copyFolder' ? 'ENOSPC' : undefined))
  const places = { variable: 'AGENT_HOME', usual: '.agent', credentials: [] }
  const failed = withAgentHome({ skills: ['skill'] }, places, askContext({ host, home }), async () => 'done')
  await expect(failed).rejects.toMatchObject({ code: 'target-error', message: expect.stringContaining('ENOSPC') })
  expect([...waiting, ...kept]).toEqual([])
})

it('treats every error except those of the operating system as a bug', () => {
  const of = (code: string, more: object = { syscall: 'read' }) => Object.assign(new Error(code), { code, ...more })
  expect(
    ['EIO', 'ENOSPC', 'EAI_AGAIN', 'EBADF', 'EINVAL', 'ERR_INVALID_ARG_TYPE'].map(code => isSystemError(of(code))),
  ).toEqual([true, true, false, false, false, false])
  expect([isSystemError(of('EIO', {})), isSystemError('EIO'), isSystemError(new TypeError('EIO'))]).toEqual([
    false,
    false,
    false,
  ])
  expect(describeCrash(systemError('EIO', 'x'))).toEqual({
    code: EXIT.userError,
    text: 'Aborted: EIO: it went wrong, x\n',
  })
  expect(describeCrash(new TypeError('oh'))).toMatchObject({
    code: EXIT.bug,
    text: expect.stringContaining('This is a bug'),
  })
})
