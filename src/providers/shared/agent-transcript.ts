import { defined } from '../../lib/defined.ts'
import type { OutputMessage, ToolCall } from '../../model/answer.ts'

interface BegunCall {
  readonly call: ToolCall
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
  readonly #calls = new Map<string, BegunCall>()
  #running = 0

  /** Whether calls are under way: what comes now was said before their results. */
  get isWaiting(): boolean {
    return this.#running > 0
  }

  get last(): OutputMessage | undefined {
    return this.messages.at(-1)
  }

  /** How often the model was asked. */
  get turns(): number {
    return this.messages.filter(({ role }) => role === 'assistant').length
  }

  /** The last that the assistant said. */
  get text(): string {
    const said = this.messages.findLast(({ role, content }) => role === 'assistant' && content !== undefined)
    return typeof said?.content === 'string' ? said.content : ''
  }

  add(message: OutputMessage): OutputMessage {
    this.messages.push(message)
    return message
  }

  beginCall(id: string, { tool, raw, input }: CallFacts, message: OutputMessage, at: number): void {
    const call: ToolCall = { tool, ...(raw === tool ? {} : { raw_tool: raw }), input }
    message.tool_calls = [...(message.tool_calls ?? []), call]
    this.#calls.set(id, { call, at })
    this.#running++
  }

  /** False for a call that nobody has begun. */
  endCall(id: string, { input, output, error }: CallEnd, at: number): boolean {
    const begun = this.#calls.get(id)
    if (!begun) return false
    this.#calls.delete(id)
    this.#running--
    Object.assign(begun.call, defined({ input, output, error, duration_ms: Math.round(at - begun.at) }))
    return true
  }
}
