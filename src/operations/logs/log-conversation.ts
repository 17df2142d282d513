import type { LoggedRun } from '../../log/logged-run.ts'
import type { Result } from '../../model/result.ts'
import type { ConversationTarget } from '../converse.ts'
import { loggedRun } from './evaluate-logs.ts'
import type { OpenLogs } from './find-logs.ts'

export interface LoggedConversation {
  readonly name: string
  /** The number of the run in its log. */
  readonly run: number
  readonly file: string
  readonly turns: LoggedRun['turns']
}

/** Asks a target turn by turn; fewer results than inputs mean that it did not answer, or was stopped. */
export async function askInTurns(
  inputs: readonly string[],
  target: ConversationTarget,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const results: Result[] = []
  const turns = inputs.map(input => ({ input }))
  for await (const result of target.converse({ id: 'log', system_prompt: '', turns })) {
    results.push(result)
    onResult(result)
  }
  return results
}

/** Logs a conversation that was answered to its end; undefined where it was not. */
export async function logConversation(
  results: readonly Result[],
  turns: number,
  target: ConversationTarget,
  { folder, host }: OpenLogs,
): Promise<LoggedConversation | undefined> {
  const last = results.at(-1)
  if (!last || last.answer === null || results.length < turns) return undefined
  const run = loggedRun([...results.slice(0, -1), last], target, host)
  const written = await folder.add(run)
  return { ...written, file: folder.fileOf(written.name), turns: run.turns }
}
