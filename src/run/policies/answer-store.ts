import type { Answer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** The stored answers of a run. */
export interface AnswerStore {
  get(attemptId: string): Answer | undefined
  /** Stores an answer and returns it with its number. One that costs nothing may be stored with its result. */
  add(prompt: PromptIds, answer: Answer, isFree?: boolean): Answer
  /** Why no more answers can be stored. */
  readonly problem?: Error | undefined
}

/** Identifies the prompt of an answer. */
export type PromptIds = Pick<Prompt, 'attempt_id' | 'request_id' | 'test_id' | 'target' | 'trial'>

/** Returns a stored answer instead of asking again, and stores a new one before it is used, unless it is free. */
export function useAnswerStore(log: AnswerStore, isFree: boolean, host: Host): Policy {
  return ask => async (prompt, stop) => {
    const known = log.get(prompt.attempt_id)
    if (known && (await hasItsWorkspace(known, host))) return known
    const answer = log.add(prompt, await ask(prompt, stop), isFree)
    // The record names the folder: a resumed run needs it.
    if (answer.workspace_path !== undefined) host.files.keepTemporaryFolder(answer.workspace_path)
    return answer
  }
}

/** Whether the workspace of an answer still exists. Checks need it; a path outside our temporary folders does not count. */
async function hasItsWorkspace({ workspace_path: path }: Answer, host: Host): Promise<boolean> {
  return path === undefined || (await host.files.hasTemporaryFolder(path).catch(() => false))
}
