import { main } from '../../src/cli/main.ts'
import { Terminal } from '../../src/cli/terminal/terminal.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Host } from '../../src/model/host.ts'
import type { Result } from './program.ts'

interface HostOptions {
  readonly cwd: string
  /** Variables added to the environment; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The text on stdin. */
  readonly input?: string
}

/** A host that collects its output. */
function hostOf({ cwd, env = {}, input = '' }: HostOptions): { readonly host: Host; readonly printed: Printed } {
  const { FORCE_COLOR, NO_COLOR, ...clean } = process.env
  const real = nodeHost(cwd, { ...clean, CI: 'true', ...env })
  const printed = { stdout: '', stderr: '' }
  const readStdin = async () => new TextEncoder().encode(input)
  const host = withOutput({ ...real, processes: { ...real.processes, readStdin } }, printed)
  return { host, printed }
}

interface Printed {
  stdout: string
  stderr: string
}

/** The same host, with its output appended to `printed`. */
function withOutput(host: Host, printed: Printed): Host {
  const stream = (name: keyof Printed) => ({
    write: (text: string) => {
      printed[name] += text
    },
    isTTY: false,
    columns: undefined,
    rows: undefined,
  })
  return {
    ...host,
    terminal: {
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      hasKeys: false,
      keys: () => () => {},
      onResize: () => () => {},
    },
    signals: {
      listen: () => () => {},
      exit: code => {
        throw new Error(`the program would exit with ${code}`)
      },
    },
  }
}

/** A terminal without colours, for comparisons of text. */
export const PLAIN_TERMINAL = new Terminal(hostOf({ cwd: process.cwd() }).host)

/** Runs a command in this process, which is faster than a new one. Calls may be concurrent. */
export async function assay(args: readonly string[], options: HostOptions): Promise<Result> {
  const { host, printed } = hostOf(options)
  return { code: await main(args, host), ...printed }
}

/** Runs a command in this process on a given host. */
export async function assayOn(host: Host, args: readonly string[]): Promise<Result> {
  const printed = { stdout: '', stderr: '' }
  return { code: await main(args, withOutput(host, printed)), ...printed }
}
