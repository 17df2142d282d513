import { isNestedWithin, withoutNullish } from '../../../lib/objects.ts'
import { truncate } from '../../../lib/text/quote.ts'
import type { Answer, OutputMessage, ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'

/** One line of an agent's output. */
export type Event = Readonly<Record<string, unknown>>

/** Reads the events of an agent as they arrive and makes an answer from them. */
export interface AgentEvents {
  /** `at` is the time of arrival, in milliseconds. */
  read(event: Event, at: number): void
  /** Whether the agent can be stopped now. */
  readonly isDone: boolean
  /** Whether the agent has reported its end. */
  readonly hasEnded: boolean
  /** Whether the agent will continue after its end, since background tasks are running. */
  readonly goesOn: boolean
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

interface OpenCall {
  readonly call: ToolCall
  readonly message: OutputMessage
  readonly at: number
}

interface CallStart {
  readonly tool: string
  /** The agent's own name for the tool. */
  readonly raw: string
  readonly input: unknown
}

/** The result of a call, and its input if that becomes known only now. */
interface CallResult {
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string | undefined
}

/** Builds the transcript of an agent from its events. Durations are measured from their arrival. */
export class AgentTranscript {
  readonly messages: OutputMessage[] = []
  readonly #calls = new Map<unknown, OpenCall>()
  #ended: OutputMessage | undefined

  /** Whether calls are running: another call may belong to the same message. */
  get isWaiting(): boolean {
    return this.#calls.size > 0
  }

  get last(): OutputMessage | undefined {
    return this.messages.at(-1)
  }

  /** Whether a call of the last message has a result: the model continues with a new message. */
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

  /** Marks a running call as failed. Its result may never arrive. */
  failCall(id: unknown, error: string): void {
    const begun = this.#calls.get(id)
    if (begun) begun.call.error = error
  }

  /** Returns false for an unknown call. */
  endCall(id: unknown, { input, output, error }: CallResult, at: number): boolean {
    const begun = this.#calls.get(id)
    if (!begun) return false
    this.#calls.delete(id)
    this.#ended = begun.message
    Object.assign(begun.call, withoutNullish({ input, output, error, duration_ms: Math.round(at - begun.at) }))
    return true
  }
}
