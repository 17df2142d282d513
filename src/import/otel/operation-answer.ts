import { withoutNullish } from '../../lib/objects.ts'
import type { Answer, OutputMessage } from '../../model/answer.ts'
import { contentText } from '../../model/messages/content-text.ts'
import { isOwn } from '../../model/messages/subagents.ts'
import { isModelCall, type SpanNode, within } from './operations.ts'
import { durationOf } from './read-spans.ts'

/** The answer of an operation; undefined if its transcript has no message of the agent itself. */
export function answerOf(node: SpanNode, messages: readonly OutputMessage[]): Answer | undefined {
  const own = messages.filter(message => message.role === 'assistant' && isOwn(message))
  if (own.length === 0) return undefined
  const { attributes } = node.span
  const calls = within(node, isModelCall)
  const lastOf = (name: string) =>
    attributes.get(name) ?? calls.map(({ span }) => span.attributes.get(name)).findLast(value => value !== undefined)
  const finished = lastOf('gen_ai.response.finish_reasons')
  const isTextOnly = attributes.get('assay.has_transcript') === false
  return withoutNullish({
    text: contentText(own.findLast(({ content }) => content !== undefined)?.content ?? ''),
    output_messages: isTextOnly ? undefined : [...messages],
    token_usage: usageOf(node, calls),
    cost_usd: numberIn(attributes.get('assay.cost_usd')),
    duration_ms: durationOf(node.span),
    model: textIn(lastOf('gen_ai.response.model') ?? lastOf('gen_ai.request.model')),
    finish_reason: textIn(Array.isArray(finished) ? finished.at(-1) : finished),
  }) as Answer
}

/** Names of the attributes of each number, newest first. */
const USAGE = {
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  cached: ['gen_ai.usage.cache_read.input_tokens'],
  reasoning: ['gen_ai.usage.reasoning.output_tokens'],
} as const

/** The tokens of an operation: its own, else the sum of those of its models, if each call has them. */
function usageOf(node: SpanNode, calls: readonly SpanNode[]): Answer['token_usage'] {
  const tokens = Object.entries(USAGE).map(([key, names]) => {
    const of = ({ span }: SpanNode) =>
      names.map(name => numberIn(span.attributes.get(name))).find(found => found !== undefined)
    const each = calls.map(of)
    const sum =
      each.length === 0 || each.includes(undefined)
        ? undefined
        : each.reduce<number>((total, one) => total + (one ?? 0), 0)
    return [key, of(node) ?? sum] as const
  })
  const known = tokens.filter(([, number]) => number !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
