import type { Answer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** The answers of a run: those that it has already, and where new ones are kept as they arrive. */
export interface AnswerStore {
  get(attemptId: string): Answer | undefined
  /** Gives the answer as it is kept, with its number. */
  add(asked: PromptIds, answer: Answer): Answer
  /** Why nothing more can be kept. */
  readonly problem?: Error | undefined
}

/** What an answer is to. */
export type PromptIds = Pick<Prompt, 'attempt_id' | 'request_id' | 'test_id' | 'target' | 'trial'>

/** An answer that the run has already is not asked for again; a new one is kept before anything else is done with it. */
export function useAnswerStore(log: AnswerStore, host: Host): Policy {
  return ask => async (prompt, stop) => {
    const known = log.get(prompt.attempt_id)
    if (known && (await hasItsWorkspace(known, host))) return known
    const answer = log.add(prompt, await ask(prompt, stop))
    // From now on the record names it.
    if (answer.workspace_path !== undefined) host.files.keepTemporaryFolder(answer.workspace_path)
    return answer
  }
}

/** Without the folder in which it was made, an answer cannot be judged any more. Records may name any other: it is none. */
async function hasItsWorkspace({ workspace_path: path }: Answer, host: Host): Promise<boolean> {
  return path === undefined || (await host.files.hasTemporaryFolder(path).catch(() => false))
}
