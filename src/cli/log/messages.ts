import { terminalSafeJson } from '../../lib/text/escape.ts'
import { LogError } from '../../log/log.ts'
import { messagesText } from '../../log/run-file.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { terminal } from '../terminal/terminal.ts'
import { findLog, type LogOptions, withFoundLogs } from './open-logs.ts'

interface MessagesOptions extends LogOptions {
  readonly run?: number
}

/** `assay log messages`: the messages of a run as a JSON array, ready to be sent again. */
export function logMessages(name: string, options: MessagesOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder }) => {
    const log = await findLog(name, folder)
    const run = options.run ?? log.runs
    const file = await folder.readRun(log.name, run)
    if (!file) throw new LogError(`${log.name} has no file of run ${run}.`)
    if (!file.messages) throw new LogError(`The messages of run ${run} of ${log.name} cannot be read.`)
    terminal.out(terminalSafeJson(messagesText(file.messages)))
    return EXIT.ok
  })
}
