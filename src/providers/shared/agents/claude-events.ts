import { defined } from '../../../lib/defined.ts'
import { isMapping } from '../../../lib/is-mapping.ts'
import { type Answer, answerSchema, type OutputMessage } from '../../../model/answer.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import { checked, rejectTooDeep } from '../answer-parts.ts'
import { isBeforeAgent, isRetryable } from '../http/retryable-status.ts'
import { type AgentEvents, type Event, errorText, numberIn, textIn } from './agent-events.ts'
import { AgentTranscript } from './agent-transcript.ts'

/** Claude Code's own names of tools that have a shared one. */
const TOOLS = new Map([
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
])

/** Events without a part in the transcript: what they say comes again, or is about the client itself. */
const PASSING: readonly unknown[] = ['stream_event', 'keep_alive', 'tool_progress']

const FINISH_REASONS = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
])

/** Reads the events of `claude -p --output-format stream-json --verbose`. */
export class ClaudeEvents implements AgentEvents {
  readonly #transcript = new AgentTranscript()
  readonly #byId = new Map<string, OutputMessage>()
  readonly #others: Event[] = []
  #model: string | undefined
  /** The last message in which the agent itself, not a helper of it, has said something. */
  #said: OutputMessage | undefined
  #result: Event | undefined

  /** The program itself keeps to the most turns. */
  readonly isDone = false

  read(event: Event, at: number): void {
    const { type, message } = event
    const isOwn = event['parent_tool_use_id'] == null
    if (type === 'assistant' && isMapping(message)) this.#assistant(message, isOwn, at)
    else if (type === 'user' && isMapping(message)) this.#user(message, at)
    else if (type === 'result') this.#result = event
    else if (type === 'system' && event['subtype'] === 'init') this.#model ??= textIn(event, 'model')
    else if (!PASSING.includes(type)) this.#others.push(event)
  }

  get hasEnded(): boolean {
    return this.#result !== undefined
  }

  answer(): Answer {
    const result = this.#result ?? {}
    const { subtype = 'success', is_error, structured_output: structured, stop_reason: reason } = result
    const isOutOfTurns = subtype === 'error_max_turns'
    if (!isOutOfTurns && (is_error === true || subtype !== 'success')) throw failure(result)
    rejectTooDeep(structured, 'structured_output')
    const text = textIn(result, 'result') ?? String(this.#said?.content ?? '')
    const given = defined({
      text: structured === undefined ? text : JSON.stringify(structured),
      output_messages: this.#transcript.messages,
      token_usage: isMapping(result['usage']) ? usageOf(result['usage']) : undefined,
      cost_usd: numberIn(result, 'total_cost_usd'),
      duration_ms: numberIn(result, 'duration_ms'),
      model: this.#model,
      finish_reason: isOutOfTurns ? 'max_turns' : finishReason(reason),
      other_events: this.#others.length > 0 ? this.#others : undefined,
    })
    return checked(answerSchema, given)
  }

  /** What one call of the model gave may come in several events. */
  #assistant(message: Event, isOwn: boolean, at: number): void {
    const id = textIn(message, 'id')
    const said = (id === undefined ? undefined : this.#byId.get(id)) ?? this.#transcript.add({ role: 'assistant' })
    if (id !== undefined) this.#byId.set(id, said)
    const model = textIn(message, 'model')
    if (isOwn && model !== undefined && model !== '<synthetic>') this.#model = model
    for (const block of blocksOf(message)) {
      const { type, name, input, tool_use_id: ended } = block
      if (type === 'text') {
        say(said, textIn(block, 'text') ?? '')
        if (isOwn) this.#said = said
      } else if (typeof name === 'string' && block['id'] !== undefined)
        this.#transcript.beginCall(block['id'], { tool: TOOLS.get(name) ?? name, raw: name, input }, said, at)
      // Some tools are run by the service, which tells their results itself.
      else if (ended !== undefined) this.#end(block, at)
    }
  }

  #user(message: Event, at: number): void {
    const texts: string[] = []
    for (const block of blocksOf(message)) {
      if (block['tool_use_id'] !== undefined) this.#end(block, at)
      else if (block['type'] === 'text') texts.push(textIn(block, 'text') ?? '')
    }
    if (texts.length > 0) this.#transcript.add({ role: 'user', content: texts.join('\n\n') })
  }

  #end(block: Event, at: number): void {
    const { content: output, is_error, tool_use_id: id } = block
    const error = is_error === true ? errorText(output) : undefined
    if (!this.#transcript.endCall(id, { output, error }, at)) this.#others.push(block)
  }
}

/** Adds to what a message says. */
function say(message: OutputMessage, text: string): void {
  message.content = message.content === undefined ? text : `${message.content}\n\n${text}`
}

function blocksOf({ content }: Event): Event[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isMapping) : []
}

/** Tokens that were read from a cache, or written to one, are part of the input. */
function usageOf(usage: Event): Answer['token_usage'] {
  const cached = numberIn(usage, 'cache_read_input_tokens')
  const input = numberIn(usage, 'input_tokens')
  const written = numberIn(usage, 'cache_creation_input_tokens') ?? 0
  return defined({
    input: input === undefined ? undefined : input + (cached ?? 0) + written,
    output: numberIn(usage, 'output_tokens'),
    cached,
  })
}

function finishReason(reason: unknown): string | undefined {
  return typeof reason === 'string' ? (FINISH_REASONS.get(reason) ?? reason) : undefined
}

function failure(result: Event): NoAnswer {
  const status = numberIn(result, 'api_error_status')
  const said = errorText(textIn(result, 'result') ?? result['errors'] ?? result['subtype'])
  const message = `the agent reported an error: ${said}`
  if (status === undefined) return new NoAnswer('target-error', message)
  const facts = { retryable: isRetryable(status), overloaded: status === 429, never_reached: isBeforeAgent(status) }
  return new NoAnswer('http-status', message, facts)
}
