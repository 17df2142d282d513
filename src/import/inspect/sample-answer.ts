import { isMapping, isNestedWithin, withoutNullish } from '../../lib/objects.ts'
import type { OutputMessage, TokenUsage, ToolCall } from '../../model/answer.ts'
import { DEEPEST_ANSWER } from '../../model/answer-limits.ts'
import { traceSummary } from '../../model/trace-summary.ts'
import type { Written } from '../written.ts'

/** The answer of a sample: its text, its transcript, and its figures as far as they are known. */
export function sampleAnswer(sample: Written) {
  const output = sample.get('output')
  const choice = output?.get('choices')?.items()[0]
  const messages = transcript(sample.get('messages'))
  const seconds = sample.get('total_time')?.number() ?? output?.get('time')?.number()
  return {
    answer: output?.get('completion')?.text() ?? contentText(choice?.get('message')?.get('content')?.value) ?? '',
    ...withoutNullish({
      model: output?.get('model')?.text() || undefined,
      finish_reason: choice?.get('stop_reason')?.text(),
      token_usage: usageOf(sample.get('model_usage')),
      duration_ms: seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined,
      output_messages: messages,
      trace_summary: messages && traceSummary(messages),
    }),
  }
}

function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content.flatMap(part => (isMapping(part) && typeof part['text'] === 'string' ? [part['text']] : [])).join('\n')
}

/** The tokens of all models of a sample. */
function usageOf(usage: Written | undefined): TokenUsage | undefined {
  const models = usage?.entries() ?? []
  if (models.length === 0) return undefined
  const sum = (key: string) => {
    const counts = models.map(([, model]) => model.get(key)?.number())
    return counts.some(count => count === undefined || !Number.isInteger(count) || count < 0)
      ? undefined
      : counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  }
  return withoutNullish({ input: sum('input_tokens'), output: sum('output_tokens') }) as TokenUsage
}

/** What the agent said and did, with the results of its calls; undefined if the messages cannot be kept. */
function transcript(messages: Written | undefined): OutputMessage[] | undefined {
  const list = (messages?.items() ?? []).map(({ value }) => value)
  if (list.length === 0 || !list.every(isMapping) || !isNestedWithin(list, DEEPEST_ANSWER)) return undefined
  const replies = new Map(
    list.flatMap(message => (message['role'] === 'tool' ? [[message['tool_call_id'], message] as const] : [])),
  )
  return list.flatMap((message): OutputMessage[] => {
    if (message['role'] !== 'assistant') return []
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isMapping) : []
    return [
      {
        role: 'assistant',
        content: contentText(message['content']) ?? '',
        ...(calls.length === 0 ? {} : { tool_calls: calls.flatMap(call => callOf(call, replies)) }),
      },
    ]
  })
}

type Fields = Readonly<Record<string, unknown>>

function callOf(call: Fields, replies: ReadonlyMap<unknown, Fields>): ToolCall[] {
  const tool = call['function']
  if (typeof tool !== 'string' || tool === '') return []
  const reply = replies.get(call['id'])
  const error = isMapping(reply?.['error']) ? reply['error']['message'] : undefined
  return [
    {
      tool,
      input: call['arguments'],
      ...(reply ? { output: contentText(reply['content']) } : {}),
      ...(typeof error === 'string' ? { error } : {}),
    },
  ]
}
