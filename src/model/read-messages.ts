import { defined } from '../lib/defined.ts'
import { parseJson } from '../lib/parse-json.ts'
import { type OutputMessage, type ToolCall, toolCallSchema } from './answer.ts'
import { firstProblem } from './first-problem.ts'
import { NoAnswer } from './no-answer.ts'
import type { WrittenCall, WrittenMessage } from './written-answer.ts'

/** Messages of an answer as they are recorded. `at` is the path of the list in the answer. */
export function readMessages(written: readonly WrittenMessage[], at: string): OutputMessage[] {
  const results = new Map<string, unknown>()
  for (const { tool_call_id: id, content } of written) if (id != null) results.set(id, content)
  return written.map(({ role, content, tool_calls: calls, agent_id }, index) => ({
    role,
    ...(content == null ? {} : { content }),
    ...(calls == null ? {} : { tool_calls: readCalls(calls, `${at}[${index}].tool_calls`, results) }),
    ...(agent_id == null ? {} : { agent_id }),
  }))
}

/** Calls of an answer; the results of calls by their ids. */
export function readCalls(
  written: readonly WrittenCall[],
  at: string,
  results: ReadonlyMap<string, unknown> = new Map(),
): ToolCall[] {
  return written.map((call, index) => readCall(call, `${at}[${index}]`, results))
}

function readCall(call: WrittenCall, at: string, results: ReadonlyMap<string, unknown>): ToolCall {
  const { tool, function: called, id, output, error, raw_tool } = call
  if (tool && called && called.name !== tool) invalid(at, '`tool` and `function.name` differ')
  const name = tool || called?.name
  if (!name) invalid(at, 'the name of the tool is missing: give `tool`, or `function` with a `name`')
  const values = { input: inputOf(call, at), output: output === undefined && id != null ? results.get(id) : output }
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const facts = defined({ tool: name, raw_tool, duration_ms: durationOf(call, at), error })
  const checked = toolCallSchema.safeParse({ ...facts, ...Object.fromEntries(given) })
  if (checked.success) return checked.data
  const { path, message } = firstProblem(checked.error)
  return invalid(`${at}.${path}`, message)
}

/** The arguments, under the one of their names that is given. */
function inputOf({ input, args, function: called }: WrittenCall, at: string): unknown {
  const given = Object.entries({ input, args, 'function.arguments': called?.arguments }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length > 1) invalid(at, `${given.map(([key]) => `\`${key}\``).join(' and ')} cannot be used together`)
  if (called?.arguments !== undefined) return parsed(called.arguments)
  return input === undefined ? args : input
}

/** Arguments are mostly JSON in a string. */
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
