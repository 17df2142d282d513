import { cutText } from '../../../lib/cut-text.ts'
import { isNestedWithin } from '../../../lib/is-nested-within.ts'
import type { Answer } from '../../../model/answer.ts'

/** What an agent prints as one line. */
export type Event = Readonly<Record<string, unknown>>

/** Reads the events of an agent as they come, and makes an answer of them. */
export interface AgentEvents {
  /** `at`: when it came, in milliseconds. */
  read(event: Event, at: number): void
  /** Whether the agent need not go on. */
  readonly isDone: boolean
  /** Whether the agent has said how it ended. */
  readonly hasEnded: boolean
  /** Whether the agent, though it has ended, is about to go on: it waits for work in the background. */
  readonly goesOn: boolean
  /** Throws `NoAnswer` where the agent says that there is none. */
  answer(): Answer
}

export function textIn(event: Event, key: string): string | undefined {
  const value = event[key]
  return typeof value === 'string' ? value : undefined
}

export function numberIn(event: Event, key: string): number | undefined {
  const value = event[key]
  return typeof value === 'number' ? value : undefined
}

/** What went wrong, in the words of whoever says so. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return cutText(value, 1000)
  return isNestedWithin(value, 100) ? cutText(JSON.stringify(value) ?? 'no reason given', 1000) : 'no reason given'
}
