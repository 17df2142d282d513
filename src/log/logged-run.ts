import type { ApiMessage } from '../model/api-messages.ts'

/** What a run, or one turn of it, took; null where nobody has said. */
export interface Figures {
  readonly tokens: number | null
  readonly cost: number | null
  readonly duration_ms: number | null
}

/** What a user said, and what came of it. */
export interface LoggedTurn extends Figures {
  readonly input: string
  readonly output: string
  /** Each as Python would write it. */
  readonly tools_called: readonly string[]
  /** What the test expects; it gives way to what is written by hand. */
  readonly expected: string
  /** `pass`, `fail: why`, `error: why`; empty where nobody has judged. */
  readonly evaluation: string
}

/** One run of a conversation, ready to be written. */
export interface LoggedRun extends Figures {
  /** Identifies the recorded attempt that this is the log of; undefined for a conversation without records. */
  readonly attempt?: string | undefined
  readonly system_prompt: string
  readonly model: string
  readonly cwd: string
  /** Local, `2025-12-25 11:56:26`. */
  readonly timestamp: string
  readonly turns: readonly LoggedTurn[]
  readonly messages: readonly ApiMessage[]
}

/** A conversation, of which only the inputs count. */
export interface ConversationInputs {
  readonly turns: readonly Pick<LoggedTurn, 'input'>[]
}

/** What the user said in it: the same inputs in the same order are the same conversation. */
export function inputsOf({ turns }: ConversationInputs): readonly string[] {
  return turns.map(({ input }) => input)
}
