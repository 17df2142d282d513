import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../../src/cli/main.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { OutputLines } from '../../../src/host/processes/program-output.ts'
import type { Host, StopSignal } from '../../../src/model/host.ts'

export const SERVER = join(import.meta.dirname, 'orders-server.mjs')

export type Message = Record<string, unknown> & { readonly id?: string | number; readonly method?: string }

/** A running `assay mock record`, and the client that talks to it. */
export interface Proxy {
  /** Everything that the client has received. */
  readonly received: Message[]
  readonly output: { stdout: string; stderr: string }
  write(text: string): void
  send(message: Message | Message[]): void
  /** Sends a request and resolves with the answer. */
  request(method: string, params?: unknown, id?: string | number): Promise<Message>
  call(name: string, input?: unknown, id?: string | number): Promise<Message>
  /** Resolves with the first message that has a property, including those that came before. */
  next(matches: (message: Message) => boolean): Promise<Message>
  signal(name: StopSignal): void
  /** Closes stdin. */
  end(): Promise<number>
  readonly ended: Promise<number>
}

interface ProxyOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly changeHost?: (host: Host) => Host
}

/** Starts `assay mock record` in this process. */
export function record(args: readonly string[], { cwd, env = {}, changeHost = host => host }: ProxyOptions): Proxy {
  const received: Message[] = []
  const output = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const messages = new OutputLines(1e9, line => {
    const value = JSON.parse(line)
    received.push(...(Array.isArray(value) ? value : [value]))
    for (const look of waiting) look()
  })
  const stdin = inputOf()
  let onSignal: (signal: StopSignal) => void = () => {}
  const real = nodeHost(cwd, { PATH: process.env['PATH'], ...env })
  const stream = (write: (text: string) => void) => ({ write, isTTY: false, columns: undefined, rows: undefined })
  const host: Host = {
    ...real,
    terminal: {
      stdout: stream(text => {
        output.stdout += text
        messages.add(Buffer.from(text))
      }),
      stderr: stream(text => {
        output.stderr += text
      }),
      hasKeys: false,
      keys: () => () => {},
      onResize: () => () => {},
    },
    signals: {
      listen: call => {
        onSignal = call
        return () => {}
      },
      exit: code => {
        throw new Error(`the program would exit with ${code}`)
      },
    },
    processes: { ...real.processes, readStdinLines: stdin.read },
  }
  const ended = main(['mock', 'record', ...args], changeHost(host))
  let lastId = 0
  const next = (matches: (message: Message) => boolean) =>
    new Promise<Message>(resolve => {
      const look = () => {
        const found = received.find(matches)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const send = (message: Message | Message[]) => stdin.write(`${JSON.stringify(message)}\n`)
  const request = (method: string, params: unknown = {}, id: string | number = ++lastId) => {
    send({ jsonrpc: '2.0', id, method, params })
    return next(message => message.id === id && message.method === undefined)
  }
  return {
    received,
    output,
    write: stdin.write,
    send,
    request,
    call: (name, input, id) => request('tools/call', { name, arguments: input }, id),
    next,
    signal: name => onSignal(name),
    end: () => {
      stdin.end()
      return ended
    },
    ended,
  }
}

/** A stdin that a test writes to. */
function inputOf() {
  let lines: OutputLines | undefined
  let finish = () => {}
  let [early, isOver] = ['', false]
  return {
    write(text: string) {
      if (lines) lines.add(Buffer.from(text))
      else early += text
    },
    end() {
      isOver = true
      lines?.end()
      finish()
    },
    read: (onLine: (line: string) => void, limit: number, signal: AbortSignal) =>
      new Promise<void>(resolve => {
        finish = resolve
        lines = new OutputLines(limit, onLine)
        lines.add(Buffer.from(early))
        signal.addEventListener('abort', () => resolve())
        if (!isOver) return
        lines.end()
        resolve()
      }),
  }
}

export interface Recording {
  readonly file: string
  readonly tool: string
  readonly input: unknown
  readonly output: unknown
  readonly verdict: string
  readonly result?: unknown
  readonly error?: unknown
}

/** The recordings of a server in a folder with mocks, by tool and input. */
export function recordings(cwd: string, server = 'orders', out = 'mocks'): Recording[] {
  const folder = join(cwd, out, '.replay', server)
  const files = readdirSync(folder).sort()
  return files.map(file => ({
    file,
    tool: file.slice(0, -'-.json'.length - 64),
    ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }))
}

/** The list of tools of a server in a folder with mocks. */
export function recordedTools(cwd: string, server = 'orders'): { name: string; description?: string }[] {
  return JSON.parse(readFileSync(join(cwd, 'mocks', server, '_tools.json'), 'utf8')).tools
}
