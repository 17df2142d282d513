import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import { type Answer, answerSchema, NoAnswer, type ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import { validateAnswer } from '../answer-parts.ts'
import { isRejectedBeforeAgent, isRetryable } from '../http/http-status.ts'
import { type AgentEvents, type Event, errorText, numberField, stringField } from './agent-events.ts'
import { AgentTranscript } from './agent-transcript.ts'
import { type CodexCall, toToolCalls } from './codex-calls.ts'
import { refusedCalls } from './codex-session.ts'

/** Reads the events of `codex exec --json`. */
export class CodexEvents implements AgentEvents {
  readonly #transcript = new AgentTranscript()
  readonly #others: Event[] = []
  readonly #model: string | undefined
  readonly #mostTurns: number
  #thread: string | undefined
  #usage: Event | undefined
  #end: 'completed' | 'failed' | undefined
  #error: unknown
  #isDone = false

  /** `model` is the configured one: the events do not contain it. */
  constructor(model: string | undefined, mostTurns = Number.POSITIVE_INFINITY) {
    this.#model = model
    this.#mostTurns = mostTurns
  }

  read(event: Event, at: number): void {
    if (this.#isDone) return
    const { type, item } = event
    if (isMapping(item)) this.#item(type, item, at)
    else if (type === 'turn.started') this.#end = undefined
    else if (type === 'turn.completed') this.#finish('completed', event)
    else if (type === 'turn.failed') this.#finish('failed', event)
    else if (type === 'thread.started') this.#thread = stringField(event, 'thread_id')
    else this.#others.push(event)
  }

  /** Codex has no turn limit: it is stopped when it calls a tool in the turn after the last. */
  get isDone(): boolean {
    return this.#isDone
  }

  get hasCalls(): boolean {
    return this.#transcript.hasCalls
  }

  readonly goesOn = false
  readonly isCutOff = false

  get hasEnded(): boolean {
    return this.#end !== undefined || this.#isDone
  }

  answer(): Answer {
    if (this.#end === 'failed') throw agentError(this.#error)
    const messages = this.#isDone ? this.#transcript.messages.slice(0, -1) : this.#transcript.messages
    const said = messages.findLast(({ role, content }) => role === 'assistant' && content !== undefined)
    const given = withoutNullish({
      text: String(said?.content ?? ''),
      output_messages: messages,
      token_usage: this.#usage && usageOf(this.#usage),
      model: this.#model,
      finish_reason: this.#isDone ? 'max_turns' : 'stop',
      other_events: this.#others.length > 0 ? this.#others : undefined,
    })
    return validateAnswer(answerSchema(), given)
  }

  async refusedCalls(configFolder: string, host: Host): Promise<readonly ToolCall[]> {
    return this.#thread === undefined ? [] : refusedCalls(configFolder, this.#thread, host)
  }

  #finish(end: 'completed' | 'failed', event: Event): void {
    this.#end = end
    this.#error = event['error']
    if (isMapping(event['usage'])) this.#usage = event['usage']
  }

  #item(type: unknown, item: Event, at: number): void {
    const id = stringField(item, 'id') ?? ''
    if (item['type'] === 'agent_message') {
      if (type === 'item.completed') this.#say(stringField(item, 'text') ?? '')
      return
    }
    const calls = toToolCalls(item)
    if (!calls) this.#others.push({ type, item })
    else if (type === 'item.started') this.#begin(id, calls, at)
    else if (type === 'item.completed') this.#complete(id, calls, at)
  }

  /** Begins calls. Calls after results belong to a new message. */
  #begin(id: string, calls: readonly CodexCall[], at: number): void {
    const { last, isWaiting, hasResults } = this.#transcript
    const isOpen = last !== undefined && (isWaiting || !hasResults)
    const message = isOpen ? last : this.#transcript.add({ role: 'assistant' })
    calls.forEach((call, index) => {
      this.#transcript.beginCall(`${id} ${index}`, call, message, at)
    })
    this.#isDone = calls.length > 0 && this.#transcript.messages.length > this.#mostTurns
  }

  /** Ends calls. Some items have no start event. */
  #complete(id: string, calls: readonly CodexCall[], at: number): void {
    const isBegun = calls.every((call, index) => this.#transcript.endCall(`${id} ${index}`, call, at))
    if (isBegun) return
    this.#begin(id, calls, at)
    calls.forEach((call, index) => {
      this.#transcript.endCall(`${id} ${index}`, call, at)
    })
  }

  /** Adds a text as a message, or to the current message if that has calls but no text. */
  #say(content: string): void {
    const { last, hasResults } = this.#transcript
    if (last && last.content === undefined && !hasResults) last.content = content
    else this.#transcript.add({ role: 'assistant', content })
  }
}

/** Cached tokens are part of the input. So are tokens written to a cache, which have no price of their own. */
function usageOf(usage: Event): Answer['token_usage'] {
  return withoutNullish({
    input: numberField(usage, 'input_tokens'),
    output: numberField(usage, 'output_tokens'),
    cached: numberField(usage, 'cached_input_tokens'),
    reasoning: numberField(usage, 'reasoning_output_tokens'),
  })
}

function agentError(error: unknown): NoAnswer {
  const said = errorText(isMapping(error) ? error['message'] : error)
  const status = Number(/status:? (\d{3})\b/.exec(said)?.[1])
  const message = `the agent reported an error: ${said}`
  if (Number.isNaN(status)) return new NoAnswer('target-error', message)
  const facts = {
    retryable: isRetryable(status),
    overloaded: status === 429,
    never_reached: isRejectedBeforeAgent(status),
  }
  return new NoAnswer('http-status', message, facts)
}
