import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay, folderWith, PROGRAM, run } from '../../support/program.ts'
import { endLeftovers, expectNoProcesses, markerEnv, processesOf, suiteFolder } from '../../support/suite-run.ts'
import { recordings, SERVER } from './recording-proxy.ts'

afterEach(endLeftovers)

const ARGS = ['mock', 'record', '--server', 'orders', '--', process.execPath, SERVER]
const CALL = (id: number, order: string, name = 'get_order') =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { id: order } } })}\n`

/** Starts the program in a folder whose processes can be found, and waits for its first answer. */
async function started(folder: string, input = CALL(1, 'A1')): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, ...ARGS], {
    cwd: folder,
    env: { ...process.env, ...markerEnv(folder) },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin?.write(input)
  await new Promise(resolve => child.stdout?.once('data', resolve))
  return child
}

const codeOf = (child: ChildProcess) =>
  new Promise<number | string | null>(resolve => child.on('close', (code, signal) => resolve(code ?? signal)))

describe('the program of assay mock record', () => {
  it('answers what is piped into it, and ends', async () => {
    const cwd = folderWith()
    const { code, stdout, stderr } = await assay(ARGS, { cwd, input: CALL(1, 'A1') + CALL(2, 'A2') })
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).toContain('recorded 2 calls in')
    expect(recordings(cwd)).toHaveLength(2)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends the server too on %s', async signal => {
    const folder = suiteFolder({ tests: [] }, [])
    const child = await started(folder)
    expect(await processesOf(folder)).toHaveLength(2)
    child.kill(signal)
    expect(await codeOf(child)).toBe(signal === 'SIGTERM' ? 143 : 130)
    await expectNoProcesses(folder)
  })

  it('keeps what was answered after kill -9, and the server ends', async () => {
    const folder = suiteFolder({ tests: [] }, [])
    const child = await started(folder)
    child.kill('SIGKILL')
    expect(await codeOf(child)).toBe('SIGKILL')
    expect(recordings(folder)).toMatchObject([{ output: 'A1 is shipped' }])
    await expectNoProcesses(folder)
  })

  it('ends when the server ends, although stdin stays open', async () => {
    const folder = suiteFolder({ tests: [] }, [])
    const child = await started(folder, CALL(1, 'A1') + CALL(2, 'A1', 'crash'))
    expect(await codeOf(child)).toBe(3)
    await expectNoProcesses(folder)
  })

  it('ends the server when the reader of its output is gone', async () => {
    const folder = suiteFolder({ tests: [] }, [])
    const child = await started(folder)
    child.stdout?.destroy()
    child.stdin?.write(CALL(2, 'A2'))
    await codeOf(child)
    await expectNoProcesses(folder)
  })

  it('can record into one folder several times at once', async () => {
    const cwd = folderWith()
    const orders = ['A1', 'A2', 'A3', 'A4']
    const runs = await Promise.all(orders.map(order => assay(ARGS, { cwd, input: CALL(1, order) + CALL(2, 'A1') })))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(readdirSync(join(cwd, 'mocks/.replay/orders'))).toHaveLength(4)
    expect(recordings(cwd)).toHaveLength(4)
  })

  it('is found by the configuration in its help', async () => {
    const { stdout } = await run(process.execPath, [PROGRAM, 'mock', 'record', '--help'], { cwd: folderWith() })
    expect(stdout).toContain('claude mcp add orders -- assay mock record')
    expect(stdout).toContain('[mcp_servers.orders]')
  })
})
