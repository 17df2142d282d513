import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import { type Answer, answerSchema, NoAnswer, type OutputMessage } from '../../../model/answer.ts'
import { rejectTooDeep, validateAnswer } from '../answer-parts.ts'
import { isRejectedBeforeAgent, isRetryable } from '../http/http-status.ts'
import { type AgentEvents, type Event, errorText, numberField, stringField } from './agent-events.ts'
import { AgentTranscript } from './agent-transcript.ts'
import { ClaudePermissions, nonExecution } from './claude-permissions.ts'
import { ClaudeResults } from './claude-results.ts'

/** Shared names for tools of Claude Code. */
const TOOLS = new Map([
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
])

/** Events that repeat others or concern only the client. */
const IGNORED_TYPES: readonly unknown[] = ['stream_event', 'keep_alive', 'tool_progress']

/** Reads the events of `claude -p --output-format stream-json --verbose`. */
export class ClaudeEvents implements AgentEvents {
  readonly #transcript = new AgentTranscript()
  readonly #permissions = new ClaudePermissions(this.#transcript)
  readonly #results = new ClaudeResults()
  /** Messages by id, for each agent. */
  readonly #byId = new Map<string, Map<string, OutputMessage>>()
  readonly #others: Event[] = []
  readonly #read = new Set<string>()
  #model: string | undefined
  /** The last message with text of the agent itself, not of a subagent. */
  #said: OutputMessage | undefined
  /** How often the agent has started. */
  #begun = 0
  #hasEnded = false
  /** How many background tasks are running. */
  #tasks = 0

  /** Claude Code enforces `max_turns` itself. */
  readonly isDone = false

  read(event: Event, at: number): void {
    const { type, message } = event
    if (this.#isRepeated(event)) return
    if (type === 'assistant' && isMapping(message)) this.#assistant(message, subagentOf(event), at)
    else if (type === 'user' && isMapping(message)) this.#user(event, message, at)
    else if (type === 'result') this.#result(event)
    else if (type === 'system') this.#system(event)
    else if (!IGNORED_TYPES.includes(type)) this.#others.push(event)
  }

  get hasCalls(): boolean {
    return this.#transcript.hasCalls
  }

  /** Whether the agent has reported a result and has not started again since. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The agent reports one result per start, also after background tasks. */
  get goesOn(): boolean {
    return this.#tasks > 0 || this.#begun > this.#results.count
  }

  /** An agent at a limit ends its background tasks. */
  get isCutOff(): boolean {
    return this.#begun > this.#results.count || (this.#tasks > 0 && this.#results.limit === undefined)
  }

  answer(): Answer {
    const { last: result = {}, failed, finish_reason, token_usage, cost_usd, duration_ms } = this.#results
    if (failed) throw agentError(failed)
    const { structured_output: structured } = result
    rejectTooDeep(structured, 'structured_output')
    const text = stringField(result, 'result') ?? String(this.#said?.content ?? '')
    const others = [...this.#others, ...this.#results.events]
    const given = withoutNullish({
      text: structured == null ? text : JSON.stringify(structured),
      output_messages: this.#transcript.messages,
      token_usage,
      cost_usd,
      duration_ms,
      model: this.#model,
      finish_reason,
      other_events: others.length > 0 ? others : undefined,
    })
    return validateAnswer(answerSchema(), given)
  }

  /** Each event has its own id. */
  #isRepeated(event: Event): boolean {
    const id = stringField(event, 'uuid')
    if (id === undefined) return false
    if (this.#read.has(id)) return true
    this.#read.add(id)
    return false
  }

  #system(event: Event): void {
    const { subtype, tasks } = event
    if (subtype === 'init') {
      this.#begun++
      this.#hasEnded = false
      this.#model ??= stringField(event, 'model')
      return
    }
    if (subtype === 'background_tasks_changed') this.#tasks = Array.isArray(tasks) ? tasks.length : 0
    if (subtype === 'permission_denied') this.#permissions.deny(event, subagentOf(event).agent_id)
    this.#others.push(event)
  }

  #result(event: Event): void {
    this.#results.add(event)
    this.#permissions.list(event['permission_denials'])
    this.#hasEnded = true
  }

  /** Reads one reply of the model, which may arrive in several events. */
  #assistant(message: Event, agent: Subagent, at: number): void {
    const isOwn = agent.agent_id === undefined
    const id = stringField(message, 'id')
    const said = this.#messageOf(id, agent)
    this.#results.addMessage(id, message['usage'])
    const model = stringField(message, 'model')
    if (isOwn && model !== undefined && model !== '<synthetic>') this.#model = model
    for (const block of blocksOf(message)) {
      const { type, name, input, id } = block
      if (type === 'text') {
        say(said, stringField(block, 'text') ?? '')
        if (isOwn) this.#said = said
      } else if (typeof name === 'string' && id !== undefined) {
        this.#transcript.beginCall(id, { tool: TOOLS.get(name) ?? name, raw: name, input }, said, at)
        this.#permissions.begun(id, agent.agent_id)
      }
      // Results of tools that the service runs are part of the reply.
      else if (block['tool_use_id'] !== undefined) this.#end(block, at, agent)
    }
  }

  /** Returns the message with this id of this agent: ids of different agents may be the same. */
  #messageOf(id: string | undefined, agent: Subagent): OutputMessage {
    const key = agent.agent_id ?? ''
    const known = id === undefined ? undefined : this.#byId.get(key)?.get(id)
    if (known) return known
    const added = this.#transcript.add({ role: 'assistant', ...agent })
    if (id !== undefined) this.#byId.set(key, (this.#byId.get(key) ?? new Map()).set(id, added))
    return added
  }

  #user(event: Event, message: Event, at: number): void {
    const agent = subagentOf(event)
    const texts: string[] = []
    for (const block of blocksOf(message)) {
      if (block['tool_use_id'] !== undefined) this.#end(block, at, agent, event['tool_result_meta'])
      else if (block['type'] === 'text') texts.push(stringField(block, 'text') ?? '')
    }
    if (texts.length > 0) this.#transcript.add({ role: 'user', content: texts.join('\n\n'), ...agent })
  }

  #end(block: Event, at: number, { agent_id }: Subagent, meta?: unknown): void {
    const { content: output, is_error, tool_use_id: id } = block
    const error = nonExecution(meta, block) ?? (is_error === true ? errorText(output) : undefined)
    if (!this.#transcript.endCall(id, { output, error }, at, agent_id)) this.#others.push(block)
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
function subagentOf({ agent_id, parent_tool_use_id: parent }: Event): Subagent {
  const id = [agent_id, parent].find(each => each != null && each !== '')
  if (id === undefined) return {}
  return { agent_id: typeof id === 'string' ? id : 'unknown' }
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
