import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Attributes, SpanEvent, TraceSpan } from './read-spans.ts'

/** A message of the GenAI conventions, of any version. */
export interface GenAiMessage {
  readonly role: string
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

/** What a model or an agent was given, and what it answered; undefined if that is not recorded. */
export interface SpanContent {
  readonly input: readonly GenAiMessage[] | undefined
  readonly output: readonly GenAiMessage[] | undefined
}

/** Reads the messages of a span: from its attributes or events, in the current form or an older one. */
export function contentOf({ attributes, events }: Pick<TraceSpan, 'attributes' | 'events'>): SpanContent {
  const details = events.filter(({ name }) => name === 'gen_ai.client.inference.operation.details')
  const sources = [attributes, ...details.map(detailsOf)]
  return {
    input:
      first(sources, each => messagesIn(each.get('gen_ai.input.messages'))) ??
      eventMessages(events, INPUT_EVENTS) ??
      first([attributes, ...events.map(event => event.attributes)], each => messagesIn(each.get('gen_ai.prompt'))) ??
      numberedMessages(attributes, 'gen_ai.prompt'),
    output:
      first(sources, each => messagesIn(each.get('gen_ai.output.messages'))) ??
      eventMessages(events, ['gen_ai.choice']) ??
      first([attributes, ...events.map(event => event.attributes)], each =>
        messagesIn(each.get('gen_ai.completion')),
      ) ??
      numberedMessages(attributes, 'gen_ai.completion'),
  }
}

function first<Source, Found>(
  sources: readonly Source[],
  read: (source: Source) => Found | undefined,
): Found | undefined {
  for (const source of sources) {
    const found = read(source)
    if (found !== undefined) return found
  }
  return undefined
}

/** The attributes of an event; some exporters have them in its body. */
function detailsOf({ attributes, body }: SpanEvent): Attributes {
  return isMapping(body) ? new Map([...Object.entries(body), ...attributes]) : attributes
}

/** A list of messages, as a value or as a string of JSON. */
function messagesIn(value: unknown): GenAiMessage[] | undefined {
  const list = typeof value === 'string' ? parseJson(value) : value
  if (!Array.isArray(list) || list.length === 0 || !list.every(isMapping)) return undefined
  return list.map(messageOf)
}

/** A message with `parts`, or with `content` and `tool_calls` as in older conventions and APIs. */
function messageOf(message: Readonly<Record<string, unknown>>): GenAiMessage {
  const role = typeof message['role'] === 'string' ? message['role'] : 'assistant'
  const { parts, content, tool_calls, id, tool_call_id } = message
  if (Array.isArray(parts)) return { role, parts: parts.filter(isMapping) }
  const called = tool_call_id ?? (role === 'tool' ? id : undefined)
  if (called !== undefined) return { role, parts: [{ type: 'tool_call_response', id: called, response: content }] }
  return { role, parts: [...contentParts(content), ...(Array.isArray(tool_calls) ? tool_calls.map(callPart) : [])] }
}

function contentParts(content: unknown): Readonly<Record<string, unknown>>[] {
  if (content === undefined || content === null) return []
  if (!Array.isArray(content))
    return [{ type: 'text', content: typeof content === 'string' ? content : JSON.stringify(content) }]
  return content.map(part => (isMapping(part) ? part : { type: 'text', content: String(part) }))
}

function callPart(call: unknown): Readonly<Record<string, unknown>> {
  const { id, function: called, name, arguments: input } = isMapping(call) ? call : {}
  const inner = isMapping(called) ? called : { name, arguments: input }
  return { type: 'tool_call', id, name: inner['name'], arguments: inner['arguments'] }
}

/** Events of one message each, and the roles of those that do not name one. */
const EVENT_ROLES: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
  'gen_ai.choice': 'assistant',
}

const INPUT_EVENTS = Object.keys(EVENT_ROLES).filter(name => name !== 'gen_ai.choice')

function eventMessages(events: readonly SpanEvent[], names: readonly string[]): GenAiMessage[] | undefined {
  const found = events.filter(({ name }) => names.includes(name))
  if (found.length === 0) return undefined
  const messages = found.map(event => {
    const written = event.attributes.get('gen_ai.event.content')
    const content = typeof written === 'string' ? parseJson(written) : event.body
    const fields = { ...Object.fromEntries(event.attributes), ...(isMapping(content) ? content : {}) }
    const message = fields['message']
    const spoken = typeof message === 'string' ? (parseJson(message) ?? { content: message }) : message
    const { tool_calls, ...own } = isMapping(spoken) ? spoken : fields
    const calls = typeof tool_calls === 'string' ? parseJson(tool_calls) : tool_calls
    return messageOf({ role: EVENT_ROLES[event.name], ...own, tool_calls: calls })
  })
  // Without content, such events have a role and nothing else.
  return messages.some(({ parts }) => parts.length > 0) ? messages : undefined
}

/** Messages in attributes such as `gen_ai.prompt.0.content`. */
function numberedMessages(attributes: Attributes, prefix: string): GenAiMessage[] | undefined {
  const messages: GenAiMessage[] = []
  for (let index = 0; ; index++) {
    const at = `${prefix}.${index}`
    const content = attributes.get(`${at}.content`)
    const tool_calls = numberedCalls(attributes, `${at}.tool_calls`)
    if (content === undefined && tool_calls.length === 0 && !attributes.has(`${at}.role`)) break
    const tool_call_id = attributes.get(`${at}.tool_call_id`)
    messages.push(messageOf({ role: attributes.get(`${at}.role`), content, tool_calls, tool_call_id }))
  }
  return messages.some(({ parts }) => parts.length > 0) ? messages : undefined
}

function numberedCalls(attributes: Attributes, prefix: string): object[] {
  const calls: object[] = []
  for (let index = 0; attributes.has(`${prefix}.${index}.name`); index++) {
    const get = (key: string) => attributes.get(`${prefix}.${index}.${key}`)
    calls.push({ id: get('id'), name: get('name'), arguments: get('arguments') })
  }
  return calls
}
