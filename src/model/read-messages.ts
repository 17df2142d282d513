import * as z from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import { type OutputMessage, type ToolCall, toolCallSchema } from './answer.ts'
import { firstProblem } from './first-problem.ts'
import { nestedValue } from './nested-value.ts'
import { NoAnswer } from './no-answer.ts'

const functionCall = z.looseObject({
  id: z.string().optional(),
  function: z.looseObject({ name: z.string().min(1), arguments: z.unknown().optional() }),
})

const messageSchema = z.looseObject({
  role: z.string().min(1),
  content: nestedValue.optional(),
  tool_calls: z.array(z.unknown()).nullish(),
  tool_call_id: z.string().optional(),
})

/** Messages of an answer, with tool calls in our form or as functions whose results are messages of their own. */
export function readMessages(written: unknown): OutputMessage[] {
  const messages = z.array(messageSchema).safeParse(written)
  if (!messages.success) {
    const { path, message } = firstProblem(messages.error)
    throw new NoAnswer('bad-response', `\`output_messages${path}\` of the answer: ${message}`)
  }
  const results = new Map<string, unknown>()
  for (const { tool_call_id, content } of messages.data) {
    if (tool_call_id !== undefined) results.set(tool_call_id, content)
  }
  return messages.data.map(({ role, content, tool_calls }, index) => ({
    role,
    ...(content == null ? {} : { content }),
    ...(tool_calls == null
      ? {}
      : {
          tool_calls: tool_calls.map((call, nth) =>
            readCall(call, results, `output_messages[${index}].tool_calls[${nth}]`),
          ),
        }),
  }))
}

function readCall(written: unknown, results: ReadonlyMap<string, unknown>, at: string): ToolCall {
  const asFunction = functionCall.safeParse(written)
  if (asFunction.success) {
    const { id, function: called } = asFunction.data
    const output = id === undefined ? undefined : results.get(id)
    return checkedCall(
      {
        tool: called.name,
        ...(called.arguments === undefined ? {} : { input: parsed(called.arguments) }),
        ...(output === undefined ? {} : { output }),
      },
      at,
    )
  }
  return checkedCall(written, at)
}

function checkedCall(written: unknown, at: string): ToolCall {
  const call = toolCallSchema.safeParse(written)
  if (call.success) return call.data
  const { path, message } = firstProblem(call.error)
  throw new NoAnswer('bad-response', `\`${at}${path === '' ? '' : `.${path}`}\` of the answer: ${message}`)
}

/** Arguments are mostly JSON in a string. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const json = parseJson(value)
  return json === undefined ? value : json
}
