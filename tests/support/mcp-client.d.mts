import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

interface CallResult {
  readonly text?: string
  readonly error?: string
  readonly rejected?: string
}

interface McpClient {
  readonly server: ChildProcessByStdio<Writable, Readable, null>
  request(method: string, params?: object): Promise<Reply>
  call(name: string, input: object): Promise<CallResult>
  close(): Promise<number | null>
}

export function connect(server: { readonly command: string; readonly args: readonly string[] }): McpClient
