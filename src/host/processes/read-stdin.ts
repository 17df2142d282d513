import { UserError } from '../../model/user-error.ts'
import { OutputLines } from './program-output.ts'

/** Reads stdin to its end. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Passes on the lines of stdin as they arrive, until its end or until the signal aborts. */
export function readStdinLines(
  onLine: (line: string) => void,
  maxLineBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const { stdin } = process
  const lines = new OutputLines(maxLineBytes, onLine)
  return new Promise<void>((resolve, reject) => {
    const stop = () => {
      stdin.off('data', read).off('end', end).off('error', end)
      // An open pipe would keep the process alive.
      stdin.destroy()
      signal.removeEventListener('abort', finish)
    }
    const finish = () => {
      stop()
      resolve()
    }
    const end = () => {
      lines.end()
      finish()
    }
    const read = (chunk: Buffer) => {
      if (lines.add(chunk)) return
      stop()
      reject(new UserError(`A line on stdin is longer than ${maxLineBytes / 1e6} MB.`))
    }
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', finish, { once: true })
    // A terminal that hangs up is an error of stdin: its end.
    stdin.on('data', read).on('end', end).on('error', end)
  })
}
