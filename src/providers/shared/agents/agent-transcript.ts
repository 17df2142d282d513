import { defined } from '../../../lib/defined.ts'
import type { OutputMessage, ToolCall } from '../../../model/answer.ts'

interface BegunCall {
  readonly call: ToolCall
  readonly message: OutputMessage
  readonly at: number
}

interface CallFacts {
  readonly tool: string
  /** The agent's own name of the tool. */
  readonly raw: string
  readonly input: unknown
}

/** What a tool gave back; its input where that is known only now. */
interface CallEnd {
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string | undefined
}

/** The messages of an agent, put together from its events as they come. Times are those of their coming. */
export class AgentTranscript {
  readonly messages: OutputMessage[] = []
  readonly #calls = new Map<unknown, BegunCall>()
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

  beginCall(id: unknown, { tool, raw, input }: CallFacts, message: OutputMessage, at: number): void {
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
  endCall(id: unknown, { input, output, error }: CallEnd, at: number): boolean {
    const begun = this.#calls.get(id)
    if (!begun) return false
    this.#calls.delete(id)
    this.#ended = begun.message
    Object.assign(begun.call, defined({ input, output, error, duration_ms: Math.round(at - begun.at) }))
    return true
  }
}
