import type { ApiMessage } from '../model/api-messages.ts'

/** The messages of a run, turn by turn: what came before a user's message, and what came after it. */
export interface TurnMessages {
  /** Up to the user's message, and with it. */
  readonly before: readonly ApiMessage[]
  /** Up to the next one. */
  readonly after: readonly ApiMessage[]
}

/** Undefined where the messages are not those of so many turns. */
export function turnMessages(messages: readonly ApiMessage[], turns: number): TurnMessages[] | undefined {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  if (starts.length !== turns) return undefined
  return starts.map((start, index) => ({
    before: messages.slice(0, start + 1),
    after: messages.slice(start + 1, starts[index + 1]),
  }))
}
