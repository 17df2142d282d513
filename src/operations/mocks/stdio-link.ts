import { parseJson } from '../../lib/json/parse-json.ts'
import { isSystemError } from '../../lib/system-error.ts'
import { truncate } from '../../lib/text/quote.ts'
import type { Host, RunningProgram } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { answersArrive, type LinkEnd, type LinkListener, MAX_MESSAGE_BYTES, type ServerLink } from './server-link.ts'

/** Time for a server to end by itself once its stdin is closed. */
const TIME_TO_END_MS = 500

/** Starts a server that speaks MCP over stdio. Throws `UserError` if it cannot be started. */
export async function startServer(command: readonly string[], listener: LinkListener, host: Host): Promise<ServerLink> {
  const over = host.clock.createAbortController()
  let isWanted = true
  const program = await start(command, listener, host)
  const ended = program.ended.then(end => {
    over.abort()
    return isWanted ? problemOf(end) : {}
  })
  return {
    ended,
    send: async line => program.send(line),
    async close() {
      isWanted = false
      program.endInput()
      await answersArrive(listener.pending, host.clock.sleep, over.signal)
      await host.clock.sleep(TIME_TO_END_MS, over.signal)
      if (!over.signal.aborted) program.stop()
    },
    stop() {
      isWanted = false
      program.stop()
    },
  }
}

async function start(command: readonly string[], listener: LinkListener, host: Host): Promise<RunningProgram> {
  const onLine = (line: string) => {
    if (line.trim() === '') return
    const value = parseJson(line)
    if (typeof value === 'object' && value !== null) listener.onMessage({ line, value })
    // A client would stumble over it, or ignore it.
    else listener.onNote(`the server printed a line that is not a message: ${truncate(line, 200)}`)
  }
  const { onStderr } = listener
  try {
    return await host.processes.start({
      command,
      cwd: host.cwd,
      maxLineBytes: MAX_MESSAGE_BYTES,
      onLine,
      onStderr,
    })
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UserError(
      `The server cannot be started: ${error.message}`,
      'Check the command after `--`: it is the one that starts the real server.',
    )
  }
}

/** The end of a server that was not asked to end. */
function problemOf({ code, signal, tooLarge }: Awaited<RunningProgram['ended']>): LinkEnd {
  if (tooLarge) return { problem: `the server sent a message of more than ${MAX_MESSAGE_BYTES / 1e6} MB` }
  if (code === 0) return {}
  return { problem: `the server ended with ${signal === undefined ? `exit code ${code}` : `signal ${signal}`}` }
}
