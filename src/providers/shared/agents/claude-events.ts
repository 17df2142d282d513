import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import { type Answer, answerSchema, NoAnswer, type OutputMessage } from '../../../model/answer.ts'
import { rejectTooDeep, validateAnswer } from '../answer-parts.ts'
import { isRejectedBeforeAgent, isRetryable } from '../http/http-status.ts'
import { type AgentEvents, AgentTranscript, type Event, errorText, numberField, stringField } from './agent-events.ts'
import { ClaudeResults } from './claude-results.ts'

/** Shared names for tools of Claude Code. */
const TOOLS = new Map([
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
])

/** Events that repeat others or concern only the client. */
const IGNORED_TYPES: readonly unknown[] = ['stream_event', 'keep_alive', 'tool_progress']

const FINISH_REASONS = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
])

/** Ends at a limit set by the user. The transcript so far is the answer. */
const LIMITS = new Map<unknown, string>([
  ['error_max_turns', 'max_turns'],
  ['error_max_budget_usd', 'max_budget'],
])

/** Reads the events of `claude -p --output-format stream-json --verbose`. */
export class ClaudeEvents implements AgentEvents {
  readonly #transcript = new AgentTranscript()
  readonly #byId = new Map<string, OutputMessage>()
  readonly #others: Event[] = []
  #model: string | undefined
  /** The last message with text of the agent itself, not of a subagent. */
  #said: OutputMessage | undefined
  readonly #results = new ClaudeResults()
  readonly #denied = new Map<unknown, string>()
  /** How often the agent has started. */
  #begun = 0
  /** How many background tasks are running. */
  #tasks = 0

  /** Claude Code enforces `max_turns` itself. */
  readonly isDone = false

  read(event: Event, at: number): void {
    const { type, message } = event
    if (type === 'assistant' && isMapping(message)) this.#assistant(message, subagentOf(event), at)
    else if (type === 'user' && isMapping(message)) this.#user(message, subagentOf(event), at)
    else if (type === 'result') this.#results.add(event)
    else if (type === 'system') this.#system(event)
    else if (!IGNORED_TYPES.includes(type)) this.#others.push(event)
  }

  get hasEnded(): boolean {
    return this.#results.count > 0
  }

  /** The agent reports one result per start, also after background tasks. */
  get goesOn(): boolean {
    return this.#tasks > 0 || this.#begun > this.#results.count
  }

  #system(event: Event): void {
    const { subtype, tasks, tool_use_id: id } = event
    if (subtype === 'init') {
      this.#begun++
      this.#model ??= stringField(event, 'model')
      return
    }
    if (subtype === 'background_tasks_changed') this.#tasks = Array.isArray(tasks) ? tasks.length : 0
    if (subtype === 'permission_denied') this.#deny(id, `permission denied: ${errorText(event['message'])}`)
    this.#others.push(event)
  }

  #deny(id: unknown, error: string): void {
    this.#denied.set(id, error)
    this.#transcript.failCall(id, error)
  }

  answer(): Answer {
    const result = this.#results.last ?? {}
    const { subtype = 'success', is_error, structured_output: structured, stop_reason: reason } = result
    const limit = LIMITS.get(subtype)
    if (limit === undefined && (is_error === true || subtype !== 'success')) throw agentError(result)
    rejectTooDeep(structured, 'structured_output')
    const text = stringField(result, 'result') ?? String(this.#said?.content ?? '')
    const given = withoutNullish({
      text: structured === undefined ? text : JSON.stringify(structured),
      output_messages: this.#transcript.messages,
      token_usage: this.#results.token_usage,
      cost_usd: numberField(result, 'total_cost_usd'),
      duration_ms: this.#results.duration_ms,
      model: this.#model,
      finish_reason: limit ?? finishReason(reason),
      other_events: this.#others.length > 0 ? this.#others : undefined,
    })
    return validateAnswer(answerSchema, given)
  }

  /** Reads one reply of the model, which may arrive in several events. */
  #assistant(message: Event, agent: Subagent, at: number): void {
    const id = stringField(message, 'id')
    const isOwn = agent.agent_id === undefined
    const known = id === undefined ? undefined : this.#byId.get(id)
    const said = known ?? this.#transcript.add({ role: 'assistant', ...agent })
    if (id !== undefined) this.#byId.set(id, said)
    const model = stringField(message, 'model')
    if (isOwn && model !== undefined && model !== '<synthetic>') this.#model = model
    for (const block of blocksOf(message)) {
      const { type, name, input, tool_use_id: ended } = block
      if (type === 'text') {
        say(said, stringField(block, 'text') ?? '')
        if (isOwn) this.#said = said
      } else if (typeof name === 'string' && block['id'] !== undefined)
        this.#transcript.beginCall(block['id'], { tool: TOOLS.get(name) ?? name, raw: name, input }, said, at)
      // Results of tools that the service runs are part of the reply.
      else if (ended !== undefined) this.#end(block, at)
    }
  }

  #user(message: Event, agent: Subagent, at: number): void {
    const texts: string[] = []
    for (const block of blocksOf(message)) {
      if (block['tool_use_id'] !== undefined) this.#end(block, at)
      else if (block['type'] === 'text') texts.push(stringField(block, 'text') ?? '')
    }
    if (texts.length > 0) this.#transcript.add({ role: 'user', content: texts.join('\n\n'), ...agent })
  }

  #end(block: Event, at: number): void {
    const { content: output, is_error, tool_use_id: id } = block
    const error = this.#denied.get(id) ?? (is_error === true ? errorText(output) : undefined)
    if (!this.#transcript.endCall(id, { output, error }, at)) this.#others.push(block)
  }
}

/** Appends to the text of a message. */
function say(message: OutputMessage, text: string): void {
  message.content = message.content === undefined ? text : `${message.content}\n\n${text}`
}

function blocksOf({ content }: Event): Event[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isMapping) : []
}

type Subagent = Pick<OutputMessage, 'agent_id'>

/** Identifies the subagent of an event. Older versions report only the call that started it. */
function subagentOf(event: Event): Subagent {
  const parent = stringField(event, 'parent_tool_use_id')
  return parent === undefined ? {} : { agent_id: stringField(event, 'agent_id') ?? parent }
}

function finishReason(reason: unknown): string | undefined {
  return typeof reason === 'string' ? (FINISH_REASONS.get(reason) ?? reason) : undefined
}

function agentError(result: Event): NoAnswer {
  const status = numberField(result, 'api_error_status')
  const said = errorText(stringField(result, 'result') ?? result['errors'] ?? result['subtype'])
  const message = `the agent reported an error: ${said}`
  if (status === undefined) return new NoAnswer('target-error', message)
  const facts = {
    retryable: isRetryable(status),
    overloaded: status === 429,
    never_reached: isRejectedBeforeAgent(status),
  }
  return new NoAnswer('http-status', message, facts)
}
