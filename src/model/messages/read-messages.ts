import { parseJson } from '../../lib/json/parse-json.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { NoAnswer, type OutputMessage, type ToolCall, toolCallSchema } from '../answer.ts'
import { CALL_TYPES, type CallResult, callsIn, contentBesideCalls, resultsIn, unknownCallIn } from './content-calls.ts'
import type { WrittenCall, WrittenMessage } from './written-answer.ts'

/** Roles of messages with the result of a tool. */
const TOOL_ROLES: readonly string[] = ['tool', 'function']

/** Reads the messages of an answer. `at` is the path of the list in the answer. */
export function readMessages(written: readonly WrittenMessage[], at: string): OutputMessage[] {
  const results = new Map<string, CallResult>()
  for (const { tool_call_id: id, content } of written) {
    if (id != null) results.set(id, { output: content })
    for (const [called, result] of resultsIn(content)) results.set(called, result)
  }
  const calls = written.map((message, index) => callsOf(message, `${at}[${index}]`))
  const known = new Set(calls.flat().flatMap(({ call: { id } }) => id ?? []))
  return written.flatMap((message, index) => {
    const { role, agent_id, tool_calls } = message
    const content =
      (TOOL_ROLES.includes(role) ? message.content : contentBesideCalls(message.content, known)) ?? undefined
    const made = calls[index]?.map(({ call, path }) => readCall(call, path, results)) ?? []
    // A message with results only: they are recorded with their calls.
    if (content === undefined && message.content != null && made.length === 0) return []
    return {
      role,
      ...(content === undefined ? {} : { content }),
      ...(tool_calls == null && made.length === 0 ? {} : { tool_calls: made }),
      ...(agent_id == null ? {} : { agent_id }),
    }
  })
}

interface PlacedCall {
  readonly call: WrittenCall
  readonly path: string
}

/** The calls of a message, from its `tool_calls` or its content. */
function callsOf({ role, content, tool_calls }: WrittenMessage, at: string): PlacedCall[] {
  const listed = (tool_calls ?? []).map((call, index) => ({ call, path: `${at}.tool_calls[${index}]` }))
  if (TOOL_ROLES.includes(role)) return listed
  const unknown = unknownCallIn(content)
  if (unknown !== undefined)
    invalid(
      `${at}.content${unknown}`,
      `is a tool call in an unsupported form; use \`tool_calls\`, or a block of type ${TYPES}`,
    )
  const inContent = callsIn(content).map(call => ({ call: call.call, path: `${at}.content${call.at}` }))
  const nameless = inContent.find(({ call }) => !(call.tool || call.function?.name))
  if (nameless) invalid(nameless.path, 'the name of the tool is missing: give `name`')
  if (listed.length > 0 && inContent.length > 0)
    invalid(at, 'tool calls in `content` and in `tool_calls` cannot be used together')
  return [...listed, ...inContent]
}

const TYPES = CALL_TYPES.map(type => `\`${type}\``).join(', ')

/** Reads the calls of an answer without messages. */
export function readCalls(written: readonly WrittenCall[], at: string): ToolCall[] {
  return written.map((call, index) => readCall(call, `${at}[${index}]`, new Map()))
}

function readCall(call: WrittenCall, at: string, results: ReadonlyMap<string, CallResult>): ToolCall {
  const { tool, function: called, id, raw_tool } = call
  const result = (id == null ? undefined : results.get(id)) ?? {}
  const { output = result.output, error } = call
  if (tool && called && called.name !== tool) invalid(at, '`tool` and `function.name` differ')
  const name = tool || called?.name
  if (!name) invalid(at, 'the name of the tool is missing: give `tool`, or `function` with a `name`')
  const values = { input: inputOf(call, at), output }
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const facts = withoutNullish({
    tool: name,
    raw_tool,
    duration_ms: durationOf(call, at),
    error: error ?? result.error,
  })
  const checked = toolCallSchema().safeParse({ ...facts, ...Object.fromEntries(given) })
  if (checked.success) return checked.data
  const { path, message } = firstProblem(checked.error)
  return invalid(`${at}.${path}`, message)
}

/** The arguments, which have several names. */
function inputOf({ input, args, function: called }: WrittenCall, at: string): unknown {
  const given = Object.entries({ input, args, 'function.arguments': called?.arguments }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length > 1) invalid(at, `${given.map(([key]) => `\`${key}\``).join(' and ')} cannot be used together`)
  if (called?.arguments !== undefined) return parsed(called.arguments)
  return input === undefined ? args : input
}

/** Parses arguments that are a string of JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const json = parseJson(value)
  return json === undefined ? value : json
}

function durationOf({ duration_ms, start_time, end_time }: WrittenCall, at: string): number | undefined {
  if (duration_ms != null) return duration_ms
  if (start_time == null || end_time == null) return undefined
  // biome-ignore lint/style/noRestrictedGlobals: these read dates that are given, not the clock
  const ms = Date.parse(end_time) - Date.parse(start_time)
  return ms < 0 ? invalid(`${at}.end_time`, 'is before `start_time`') : ms
}

function invalid(at: string, message: string): never {
  throw new NoAnswer('bad-response', `\`${at}\` of the answer: ${message}`)
}
