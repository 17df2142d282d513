import { isNestedWithin } from '../../../lib/objects.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { Answer, ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'

/** One line of an agent's output. */
export type Event = Readonly<Record<string, unknown>>

/** Reads the events of an agent as they arrive and makes an answer from them. */
export interface AgentEvents {
  /** `at` is the time of arrival, in milliseconds. */
  read(event: Event, at: number): void
  /** Whether the agent can be stopped now. */
  readonly isDone: boolean
  /** Whether the agent has called a tool. */
  readonly hasCalls: boolean
  /** Whether the agent has reported its end. */
  readonly hasEnded: boolean
  /** Whether the agent will continue after its end, since background tasks are running. */
  readonly goesOn: boolean
  /** Whether the agent would have continued, so that an exit with a failure has cut it off. */
  readonly isCutOff: boolean
  /** Throws `NoAnswer` if the agent has reported an error. */
  answer(): Answer
  /** Calls to tools of MCP servers that the agent refused and that its events do not have. */
  refusedCalls?(configFolder: string, host: Host): Promise<readonly ToolCall[]>
}

export function stringField(event: Event, key: string): string | undefined {
  const value = event[key]
  return typeof value === 'string' ? value : undefined
}

export function numberField(event: Event, key: string): number | undefined {
  const value = event[key]
  return typeof value === 'number' ? value : undefined
}

/** Formats a reported error, shortened. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return truncate(value, 1000)
  return isNestedWithin(value, 100) ? truncate(JSON.stringify(value) ?? 'no reason given', 1000) : 'no reason given'
}
