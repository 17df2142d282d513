/** A message of a server: one line of JSON, as the client gets it, and its value. */
export interface ServerMessage {
  readonly line: string
  readonly value: unknown
  /** An answer of ours, in place of one that the server did not give. */
  readonly isOurs?: true
}

/** How the connection to a server ended: with a problem, unless the client or a signal ended it. */
export interface LinkEnd {
  readonly problem?: string | undefined
  /** The server was never reached. */
  readonly unreachable?: true
}

/** Receives what a server sends. */
export interface LinkListener {
  onMessage(message: ServerMessage): void
  /** Text of the server for people: its stderr. */
  onStderr(text: string): void
  /** Something that the user should know. */
  onNote(text: string): void
  /** The number of requests that wait for an answer. */
  pending(): number
}

/** A connection to a real MCP server. */
export interface ServerLink {
  /** Passes on a message of the client. */
  send(line: string, value: unknown): Promise<void>
  /** Ends the connection because the client has closed its side. Pending requests may be answered first. */
  close(): Promise<void>
  /** Ends the connection now. */
  stop(): void
  readonly ended: Promise<LinkEnd>
}

/** Maximum size of a message. */
export const MAX_MESSAGE_BYTES = 256_000_000

/** Time for answers to pending requests after the client has closed its side. */
const ANSWERS_MS = 10_000
const STEP_MS = 50

/** Resolves when no request is pending, when the server has ended, or after a while. */
export async function answersArrive(
  pending: () => number,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  for (let waited = 0; waited < ANSWERS_MS && !ended.aborted && pending() > 0; waited += STEP_MS)
    await sleep(STEP_MS, ended)
}
