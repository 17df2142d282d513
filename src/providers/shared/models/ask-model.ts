import type { SharedV3Warning } from '@ai-sdk/provider'
import { withFields, withoutNullish } from '../../../lib/objects.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import { type Answer, answerSchema, NoAnswer } from '../../../model/answer.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import { validateAnswer } from '../answer-parts.ts'
import { toModelMessages } from './model-messages.ts'
import { errorReason, toNoAnswer, toTokenUsage, toTranscript } from './model-reply.ts'
import { type ModelRequest, type ModelStep, type ModelTools, takeSteps } from './model-steps.ts'
import { loadModel, type ModelAdapter, type ModelConfig } from './sdk-model.ts'

/** Sends a prompt to a model through its SDK, with no settings but those of the target. */
export async function askModel<Config extends ModelConfig>(
  adapter: ModelAdapter<Config>,
  config: Config,
  prompt: Prompt,
  context: AskContext,
): Promise<Answer> {
  const messages = await toModelMessages(prompt, context.host)
  const { model, options } = await loadModel(adapter, config, context)
  const { look, reply_schema } = prompt
  const request: ModelRequest = {
    prompt: messages,
    abortSignal: context.signal,
    ...withoutNullish({
      temperature: prompt.temperature ?? config.temperature,
      maxOutputTokens: config.max_tokens,
      responseFormat: reply_schema && { type: 'json' as const, schema: reply_schema, name: 'reply' },
      providerOptions: config.options && { [adapter.name]: options.sdk as never },
    }),
  }
  const tools = look && (await loadFileTools(look, adapter, context))
  // Measured after the SDK is loaded: that time is not the model's.
  const start = context.host.clock.elapsed()
  const steps = await takeSteps(model, request, tools).catch(error => {
    throw toNoAnswer(error, context)
  })
  for (const warning of steps.flatMap(({ reply }) => reply.warnings)) {
    if (!isReplyFormatWarning(warning)) context.warn(formatWarning(warning))
  }
  const last = steps.at(-1) as ModelStep
  // A model that still calls tools has given no verdict, but its reply was paid for: it counts as an answer.
  if (last.text === '' && last.tool_calls.length === 0) throw noTextError(last.reply)
  // Without file tools the model has no tools: its list of calls is known to be empty.
  const output_messages = look ? toTranscript(steps) : [{ role: 'assistant', content: last.text }]
  const ms = context.host.clock.elapsed() - start
  return withFields(toAnswer(steps, last, { adapter, modelId: model.modelId, ms }), { output_messages })
}

async function loadFileTools(
  look: NonNullable<Prompt['look']>,
  { schemaWithTools }: Pick<ModelAdapter<never>, 'schemaWithTools'>,
  context: AskContext,
): Promise<ModelTools> {
  const { modelFileTools } = await import('../file-tools/model-file-tools.ts')
  return modelFileTools(look, schemaWithTools === true, context)
}

interface AnswerFacts {
  readonly adapter: Pick<ModelAdapter<never>, 'answeredBy'>
  readonly modelId: string
  readonly ms: number
}

function toAnswer(
  steps: readonly ModelStep[],
  { text, reply: { finishReason, response } }: ModelStep,
  { adapter, modelId, ms }: AnswerFacts,
): Answer {
  const token_usage = toTokenUsage(steps.map(({ reply }) => reply.usage))
  const answer = {
    text,
    ...(token_usage && { token_usage }),
    model: adapter.answeredBy?.(response?.body) ?? response?.modelId ?? modelId,
    finish_reason: finishReason.unified,
    duration_ms: Math.round(ms),
  }
  // The SDK has checked the other parts.
  return Object.values(token_usage ?? {}).every(isCount) ? answer : validateAnswer(answerSchema(), answer)
}

function isCount(value = 0): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Explains a reply without text: by its finish reason, or by its body if it is no reply of a model at all. */
function noTextError({ finishReason, response }: ModelStep['reply']): NoAnswer {
  if (finishReason.unified !== 'other')
    return new NoAnswer('empty-answer', `the model returned no text (finish reason: ${finishReason.unified})`)
  const reason = truncateForMessage(errorReason(JSON.stringify(response?.body) ?? ''))
  return new NoAnswer('bad-response', `the model's reply has no text: ${reason}`)
}

/** Whether a warning is about the reply schema, which is also described in the prompt, for models without support for it. */
function isReplyFormatWarning(warning: SharedV3Warning): boolean {
  return 'feature' in warning && warning.feature === 'responseFormat'
}

function formatWarning(warning: SharedV3Warning): string {
  if ('feature' in warning)
    return `the model does not support \`${warning.feature}\`: ${warning.details ?? 'the setting is ignored'}`
  return warning.message
}
