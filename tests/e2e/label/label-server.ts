import { onTestFinished } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { nodeHost } from '../../../src/host/node.ts'
import type { StopSignal } from '../../../src/model/host.ts'

/** `assay label --browser` in this process. */
export interface LabelServer {
  readonly address: string
  /** Ends it as Ctrl-C does; resolves to its exit code and output. */
  stop(): Promise<{ readonly code: number; readonly output: string }>
}

/** Starts the server of a folder; it ends with the test. */
export async function startLabelServer(cwd: string, args: readonly string[] = []): Promise<LabelServer> {
  const { FORCE_COLOR, NO_COLOR, ...env } = process.env
  const real = nodeHost(cwd, env)
  let output = ''
  let onSignal: (signal: StopSignal) => void = () => {}
  let onAddress: (address: string) => void = () => {}
  const write = (text: string) => {
    output += text
    const address = /http:\S+/.exec(output)?.[0]
    if (address !== undefined) onAddress(address)
  }
  const stream = { write, isTTY: false, columns: undefined, rows: undefined }
  const terminal = { stdout: stream, stderr: stream, hasKeys: false, keys: () => () => {}, onResize: () => () => {} }
  const signals = {
    listen: (call: (signal: StopSignal) => void) => {
      onSignal = call
      return () => {}
    },
    exit: (code: number): never => {
      throw new Error(`the program would exit with ${code}`)
    },
  }
  const addressed = new Promise<string>(resolve => {
    onAddress = resolve
  })
  const ended = main(['label', '--browser', '--no-open', ...args], { ...real, terminal, signals })
  const stop = async () => {
    onSignal('SIGINT')
    onSignal = () => {}
    return { code: await ended, output }
  }
  const address = await Promise.race([addressed, ended.then(() => Promise.reject(new Error(output)))])
  onTestFinished(async () => void (await stop()))
  return { address, stop }
}
