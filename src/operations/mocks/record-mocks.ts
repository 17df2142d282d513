import { resolve } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import type { Host } from '../../model/host.ts'
import { CallRecorder, type RecordedCalls } from './call-recorder.ts'
import { CallWatch } from './call-watch.ts'
import { HttpLink } from './http-link.ts'
import type { HttpServer } from './http-session.ts'
import { MockFolder } from './mock-folder.ts'
import { mockRedaction } from './mock-redaction.ts'
import {
  type LinkEnd,
  type LinkListener,
  MAX_MESSAGE_BYTES,
  type ServerLink,
  type ServerMessage,
} from './server-link.ts'
import { serverSecrets } from './server-secrets.ts'
import { startServer } from './stdio-link.ts'

/** Which server is recorded, and where. */
export interface RecordMocksRequest {
  /** Name of the server in the mocks. */
  readonly server: string
  /** Folder with mocks. */
  readonly out: string
  /** How the server is started, or its address. */
  readonly real: readonly string[] | HttpServer
}

/** The side of the agent, and of people. */
export interface RecordMocksObserver {
  /** Receives each message for the agent: one line. */
  onMessage(line: string): void
  onStderr(text: string): void
  onNote(text: string): void
  /** Receives what redacts secrets, before anything is printed. */
  onSecrets(redact: (text: string) => string): void
  /** Called when the connection is made. */
  onReady(folder: string): void
}

export interface RecordedMocks extends RecordedCalls {
  /** The folder with the recorded calls. */
  readonly folder: string
  /** Calls that were not answered. */
  readonly unanswered: number
  readonly end: LinkEnd
}

/**
 * Passes messages on between an agent on stdin and a real MCP server, and records the calls of tools. Ends when the
 * agent closes stdin, when the server ends, or when the signal aborts.
 */
export async function recordMocks(
  { server, out, real }: RecordMocksRequest,
  observer: RecordMocksObserver,
  host: Host,
  signal: AbortSignal,
): Promise<RecordedMocks> {
  const redaction = mockRedaction(secretsOf(real, host))
  observer.onSecrets(redaction.text)
  const folder = await MockFolder.open(resolve(host.cwd, out), server, host.files)
  const watch = new CallWatch()
  const recorder = new CallRecorder({ folder, redaction, clock: host.clock, onNote: observer.onNote })
  // One after another: a recording is written before the agent gets the answer, and the order stays.
  let delivered: Promise<void> = Promise.resolve()
  const deliver = async ({ line, value, isOurs }: ServerMessage) => {
    const answers = watch.onServerMessage(value)
    if (isOurs) recorder.skip(answers)
    else await recorder.record(answers)
    observer.onMessage(line)
  }
  const link = await connect(
    real,
    {
      onMessage: message => {
        delivered = delivered.then(() => deliver(message))
      },
      onStderr: observer.onStderr,
      onNote: observer.onNote,
      pending: () => watch.pending,
    },
    host,
  )
  observer.onReady(folder.recordings)
  const end = await passOn(link, watch, host, signal)
  await delivered
  const { skipped, pendingCalls: unanswered } = watch
  const calls = recorder.summary()
  return { ...calls, skipped: calls.skipped + skipped, folder: folder.recordings, unanswered, end }
}

function secretsOf(real: RecordMocksRequest['real'], { env }: Host): Map<string, string> {
  const program = { env, command: [], url: undefined, headers: {} }
  return serverSecrets('url' in real ? { ...program, ...real } : { ...program, command: real })
}

function connect(real: RecordMocksRequest['real'], listener: LinkListener, host: Host): Promise<ServerLink> {
  if ('url' in real) return Promise.resolve(new HttpLink(real, listener, host))
  return startServer(real, listener, host)
}

/** Passes on the messages of the agent until one of the sides ends. */
async function passOn(link: ServerLink, watch: CallWatch, host: Host, signal: AbortSignal): Promise<LinkEnd> {
  const over = host.clock.createAbortController()
  const stop = () => link.stop()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  let sent: Promise<void> = Promise.resolve()
  const onLine = (line: string) => {
    if (line.trim() === '') return
    const value = parseJson(line)
    watch.onClientMessage(value)
    sent = sent.then(() => link.send(line, value))
  }
  const reading = host.processes.readStdinLines(onLine, MAX_MESSAGE_BYTES, over.signal).then(
    async () => {
      await sent
      if (!over.signal.aborted) await link.close()
    },
    error => {
      link.stop()
      throw error
    },
  )
  const ending = link.ended.then(end => {
    over.abort()
    signal.removeEventListener('abort', stop)
    return end
  })
  const [end] = await Promise.all([ending, reading])
  return end
}
