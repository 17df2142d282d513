import { describe, expect, it, onTestFinished } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { nodeHost } from '../../../src/host/node.ts'
import type { StopSignal } from '../../../src/model/host.ts'
import { emptyProject, sendTo, writeRun } from '../../operations/view/view-server.ts'
import { assay } from '../../support/in-process.ts'

const RUN = '20261117-090000-abcd'

/** `assay view` in this process: on a terminal, so that keys can be typed. */
async function startCommand(cwd: string, args: readonly string[]) {
  const real = nodeHost(cwd)
  const opened: string[] = []
  let output = ''
  let onKey: (key: string, text: string) => void = () => {}
  let onSignal: (signal: StopSignal) => void = () => {}
  let onOutput = () => {}
  const write = (text: string) => {
    output += text
    onOutput()
  }
  const stream = { write, isTTY: false, columns: undefined, rows: undefined }
  const keys = (call: typeof onKey) => {
    onKey = call
    return () => {}
  }
  const terminal = { stdout: stream, stderr: stream, hasKeys: true, keys, onResize: () => () => {} }
  const listen = (call: typeof onSignal) => {
    onSignal = call
    return () => {}
  }
  const network = { ...real.network, openInBrowser: (url: string) => void opened.push(url) }
  const host = { ...real, network, terminal, signals: { ...real.signals, listen } }
  const printed = new Promise<void>(resolve => {
    onOutput = () => output.includes('to end.') && resolve()
  })
  const ended = main(['view', ...args], host)
  onTestFinished(async () => {
    onKey('q', 'q')
    await ended
  })
  await printed
  await new Promise(resolve => setImmediate(resolve))
  const address = /http:\S+/.exec(output)?.[0] ?? ''
  return { address, opened, ended, output: () => output, type: () => onKey('q', 'q'), signal: () => onSignal('SIGINT') }
}

describe('assay view', () => {
  it('prints the address with its token, opens it, and ends by q', async () => {
    const cwd = emptyProject()
    writeRun(cwd, RUN, [{}])
    const view = await startCommand(cwd, [])
    expect(view.output()).toMatch(/^View at http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\nPress q or Ctrl-C to end\.\n$/)
    expect(view.opened).toEqual([view.address])
    expect((await sendTo(new URL(view.address), 'api/runs', {})).json.runs).toHaveLength(1)
    view.type()
    expect(await view.ended).toBe(0)
    await expect(sendTo(new URL(view.address), 'api/runs', {})).rejects.toThrow()
  })

  it('shows a run first, does not open it with --no-open, and ends by Ctrl-C', async () => {
    const cwd = emptyProject()
    writeRun(cwd, RUN, [{}])
    const view = await startCommand(cwd, ['20261117', '--no-open'])
    expect(view.address).toMatch(new RegExp(`/#/run/${RUN}$`))
    expect(view.opened).toEqual([])
    view.signal()
    expect(await view.ended).toBe(130)
  })

  it('works in a folder without runs, with a message', async () => {
    const view = await startCommand(emptyProject(), [])
    expect(view.output()).toContain(
      'No runs in .assay/runs yet: `assay eval` makes one, and the page shows it.\nView at http',
    )
  })

  it('says what is wrong with a run or a port', async () => {
    const cwd = emptyProject()
    writeRun(cwd, RUN, [{}])
    const other = emptyProject()
    const elsewhere = writeRun(other, RUN, [{}])
    expect((await assay(['view', 'nope'], { cwd })).stderr).toContain('Run nope not found')
    const outside = await assay(['view', elsewhere], { cwd })
    expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('with --runs-dir.')])
    expect((await assay(['view', '--port', '99999'], { cwd })).stderr).toContain('It must be at most 65535.')
    const help = (await assay(['view', '--help'], { cwd })).stdout
    expect(help).toContain('Examples:\n  $ assay view\n')
  })
})
