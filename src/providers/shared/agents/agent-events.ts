import { isNestedWithin, withoutNullish } from '../../../lib/objects.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { Answer, OutputMessage, ToolCall } from '../../../model/answer.ts'

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

export function stringField(event: Event, key: string): string | undefined {
  const value = event[key]
  return typeof value === 'string' ? value : undefined
}

export function numberField(event: Event, key: string): number | undefined {
  const value = event[key]
  return typeof value === 'number' ? value : undefined
}

/** What went wrong, in the words of whoever says so. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return truncate(value, 1000)
  return isNestedWithin(value, 100) ? truncate(JSON.stringify(value) ?? 'no reason given', 1000) : 'no reason given'
}

interface OpenCall {
  readonly call: ToolCall
  readonly message: OutputMessage
  readonly at: number
}

interface CallStart {
  readonly tool: string
  /** The agent's own name of the tool. */
  readonly raw: string
  readonly input: unknown
}

/** What a tool gave back; its input where that is known only now. */
interface CallResult {
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string | undefined
}

/** The messages of an agent, put together from its events as they come. Times are those of their coming. */
export class AgentTranscript {
  readonly messages: OutputMessage[] = []
  readonly #calls = new Map<unknown, OpenCall>()
  #ended: OutputMessage | undefined

  /** Whether calls are under way: what comes now may have been called with them. */
  get isWaiting(): boolean {
    return this.#calls.size > 0
  }

  get last(): OutputMessage | undefined {
    return this.messages.at(-1)
  }

  /** Whether a call of the last message has a result, which the model has seen before it says more. */
  get hasResults(): boolean {
    return this.#ended !== undefined && this.#ended === this.last
  }

  add(message: OutputMessage): OutputMessage {
    this.messages.push(message)
    return message
  }

  beginCall(id: unknown, { tool, raw, input }: CallStart, message: OutputMessage, at: number): void {
    const call: ToolCall = { tool, ...(raw === tool ? {} : { raw_tool: raw }), input }
    if (message.tool_calls) message.tool_calls.push(call)
    else message.tool_calls = [call]
    this.#calls.set(id, { call, message, at })
  }

  /** Marks a call that is under way as failed: its result may never come. */
  failCall(id: unknown, error: string): void {
    const begun = this.#calls.get(id)
    if (begun) begun.call.error = error
  }

  /** False for a call that was never begun. */
  endCall(id: unknown, { input, output, error }: CallResult, at: number): boolean {
    const begun = this.#calls.get(id)
    if (!begun) return false
    this.#calls.delete(id)
    this.#ended = begun.message
    Object.assign(begun.call, withoutNullish({ input, output, error, duration_ms: Math.round(at - begun.at) }))
    return true
  }
}
