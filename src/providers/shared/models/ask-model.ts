import type { CallWarning, generateText } from 'ai'
import { withoutNullish } from '../../../lib/objects.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import { type Answer, answerSchema, NoAnswer } from '../../../model/answer.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import { validateAnswer } from '../answer-parts.ts'
import { withFileTools } from '../file-tools/file-tools.ts'
import { toModelMessages } from './model-messages.ts'
import { errorReason, toNoAnswer, toTokenUsage, toTranscript } from './model-reply.ts'
import { loadModel, type ModelAdapter, type ModelConfig } from './sdk-model.ts'

type Sdk = typeof import('ai')
type Result = Pick<Awaited<ReturnType<typeof generateText>>, 'text' | 'finishReason' | 'totalUsage' | 'response'>

/** Asks a model through its SDK, which is loaded now. Nothing is sent that the target does not say. */
export async function askModel<Config extends ModelConfig>(
  asked: ModelAdapter<Config>,
  config: Config,
  prompt: Prompt,
  context: AskContext,
): Promise<Answer> {
  const messages = await toModelMessages(prompt, context.host)
  const sdk = await loadSdk()
  const { temperature, max_tokens } = config
  const { model, options } = await loadModel(asked, config, context)
  const { look, reply_schema } = prompt
  // To load an SDK takes time that is not the model's.
  const start = context.host.clock.elapsed()
  const result = await sdk
    .generateText({
      model,
      messages,
      allowSystemInMessages: true,
      // Asking again, and how soon, is the business of a policy.
      maxRetries: 0,
      abortSignal: context.signal,
      ...withoutNullish({ temperature: prompt.temperature ?? temperature, maxOutputTokens: max_tokens }),
      ...(reply_schema ? { output: replyOutput(reply_schema, sdk) } : {}),
      ...(look ? withFileTools(sdk, model, look, asked.schemaWithTools ?? false, context) : {}),
      ...(config.options ? { providerOptions: { [asked.name]: options.sdk as never } } : {}),
    })
    .catch(error => {
      throw toNoAnswer(error, context)
    })
  for (const warning of result.steps.flatMap(({ warnings = [] }) => warnings)) {
    if (!isReplyFormatWarning(warning)) context.warn(formatWarning(warning))
  }
  // Who still calls tools has not decided: that is a reply, though it says nothing, and it was paid for.
  const stillLooks = look !== undefined && result.toolCalls.length > 0
  if (result.text === '' && !stillLooks) throw noTextError(result.finishReason, result.response.body)
  // A model alone calls no tools, and that is known.
  const output_messages = look ? toTranscript(result.steps) : [{ role: 'assistant', content: result.text }]
  return { ...toAnswer(result, asked, context.host.clock.elapsed() - start), output_messages }
}

/** The reply is asked for in this form, and read by whoever asked. */
function replyOutput(schema: NonNullable<Prompt['reply_schema']>, { jsonSchema, Output }: Sdk) {
  return {
    ...Output.object({ schema: jsonSchema(schema), name: 'reply' }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
  }
}

function toAnswer(result: Result, { answeredBy }: Pick<ModelAdapter<never>, 'answeredBy'>, ms: number): Answer {
  const { text, finishReason, totalUsage, response } = result
  return validateAnswer(
    answerSchema,
    withoutNullish({
      text,
      token_usage: toTokenUsage(totalUsage),
      model: answeredBy?.(response.body) ?? response.modelId,
      finish_reason: finishReason,
      duration_ms: Math.round(ms),
    }),
  )
}

/** A reply without text: one that ended for a reason that services have, or something else altogether. */
function noTextError(finishReason: string, body: unknown): NoAnswer {
  if (finishReason !== 'other')
    return new NoAnswer('empty-answer', `the model gave no text: it stopped with ${finishReason}`)
  const reason = truncateForMessage(errorReason(JSON.stringify(body) ?? ''))
  return new NoAnswer('bad-response', `the model's reply has no text: ${reason}`)
}

/** Whoever asks for a form of the reply asks for it in words too, for models that cannot be held to one. */
function isReplyFormatWarning(warning: CallWarning): boolean {
  return 'feature' in warning && warning.feature === 'responseFormat'
}

/** What a provider does not do of what it was told. */
function formatWarning(warning: CallWarning): string {
  if ('feature' in warning)
    return `the model does not take \`${warning.feature}\`: ${warning.details ?? 'it was left out'}`
  return warning.message
}

/** The SDK, which would print its warnings where only results go. */
async function loadSdk(): Promise<Sdk> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}
