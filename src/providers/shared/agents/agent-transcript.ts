import { withoutNullish } from '../../../lib/objects.ts'
import type { OutputMessage, ToolCall } from '../../../model/answer.ts'

interface KnownCall {
  readonly call: ToolCall
  readonly message: OutputMessage
  readonly at: number
  isOpen: boolean
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

/** The agent that made a call: a subagent, or the agent itself. */
type CallerId = OutputMessage['agent_id']

/** Builds the transcript of an agent from its events. Durations are measured from their arrival. */
export class AgentTranscript {
  readonly messages: OutputMessage[] = []
  /** The last call with each id, by agent: those of different agents may have the same. */
  readonly #calls = new Map<unknown, Map<CallerId, KnownCall>>()
  #open = 0
  #ended: OutputMessage | undefined

  /** Whether a tool was called. */
  get hasCalls(): boolean {
    return this.#calls.size > 0
  }

  /** Whether calls are running: another call may belong to the same message. */
  get isWaiting(): boolean {
    return this.#open > 0
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

  /** Begins a call, unless the same message has begun it already. */
  beginCall(id: unknown, { tool, raw, input }: CallStart, message: OutputMessage, at: number): void {
    const others = this.#calls.get(id) ?? new Map<CallerId, KnownCall>()
    const earlier = others.get(message.agent_id)
    if (earlier?.isOpen && earlier.message === message) return
    if (!earlier?.isOpen) this.#open++
    const call: ToolCall = { tool, ...(raw === tool ? {} : { raw_tool: raw }), input }
    if (message.tool_calls) message.tool_calls.push(call)
    else message.tool_calls = [call]
    this.#calls.set(id, others.set(message.agent_id, { call, message, at, isOpen: true }))
  }

  /** Returns the last call of this agent with this id, else that of another agent. */
  findCall(id: unknown, caller: CallerId): ToolCall | undefined {
    const calls = this.#calls.get(id)
    return (calls?.get(caller) ?? calls?.values().next().value)?.call
  }

  /** Returns false for an unknown call. A call that was marked as failed keeps its error. */
  endCall(id: unknown, { input, output, error }: CallResult, at: number, caller?: CallerId): boolean {
    const calls = this.#calls.get(id)
    const own = calls?.get(caller)
    const begun = own?.isOpen ? own : [...(calls?.values() ?? [])].findLast(({ isOpen }) => isOpen)
    if (!begun) return false
    begun.isOpen = false
    this.#open--
    this.#ended = begun.message
    const duration_ms = Math.round(at - begun.at)
    Object.assign(begun.call, withoutNullish({ input, output, error: begun.call.error ?? error, duration_ms }))
    return true
  }
}
