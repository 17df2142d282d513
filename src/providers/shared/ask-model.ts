import type { CallWarning } from 'ai'
import { defined } from '../../lib/defined.ts'
import { type Answer, answerSchema } from '../../model/answer.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { AskContext } from '../provider.ts'
import { checked } from './answer-parts.ts'
import { begin } from './envelope.ts'
import { modelError, reasonIn } from './model-error.ts'
import { modelMessages } from './model-messages.ts'
import { sdkOptions } from './model-options.ts'
import { type Asked, type ModelConfig, sdkModel } from './sdk-model.ts'
import { tokenUsage } from './token-usage.ts'

/** Asks a model through its SDK, which is loaded now. Nothing is sent that the target does not say. */
export async function askModel<Config extends ModelConfig>(
  asked: Asked<Config>,
  config: Config,
  prompt: Prompt,
  context: AskContext,
): Promise<Answer> {
  const messages = await modelMessages(prompt, context.host)
  const { generateText, jsonSchema, Output } = await quietSdk()
  const { temperature, max_tokens, options } = config
  const { reply_schema } = prompt
  const model = await sdkModel(asked, config, context)
  // To load an SDK takes time that is not the model's.
  const start = context.host.elapsed()
  const result = await generateText({
    model,
    messages,
    allowSystemInMessages: true,
    // Asking again, and how soon, is the business of a policy.
    maxRetries: 0,
    abortSignal: context.signal,
    ...defined({ temperature: prompt.temperature ?? temperature, maxOutputTokens: max_tokens }),
    // The reply is asked for in this form, and read by whoever asked.
    ...(reply_schema
      ? {
          output: {
            ...Output.object({ schema: jsonSchema(reply_schema), name: 'reply' }),
            parseCompleteOutput: async ({ text }: { text: string }) => text,
          },
        }
      : {}),
    ...(options ? { providerOptions: { [asked.name]: sdkOptions(options) as never } } : {}),
  }).catch(error => {
    throw modelError(error, context)
  })
  const { text, finishReason, usage, response, warnings = [] } = result
  for (const warning of warnings) if (!isAboutReply(warning)) context.warn(warningText(warning))
  if (text === '') throw noText(finishReason, response.body)
  return checked(
    answerSchema,
    defined({
      text,
      // A model alone calls no tools, and that is known.
      output_messages: [{ role: 'assistant', content: text }],
      token_usage: tokenUsage(usage),
      model: asked.answeredBy?.(response.body) ?? response.modelId,
      finish_reason: finishReason,
      duration_ms: Math.round(context.host.elapsed() - start),
    }),
  )
}

/** A reply without text: one that ended for a reason that services have, or something else altogether. */
function noText(finishReason: string, body: unknown): NoAnswer {
  if (finishReason !== 'other')
    return new NoAnswer('empty-answer', `the model gave no text: it stopped with ${finishReason}`)
  const reason = begin(reasonIn(JSON.stringify(body) ?? ''))
  return new NoAnswer('bad-response', `the model's reply has no text: ${reason}`)
}

/** Whoever asks for a form of the reply asks for it in words too, for models that cannot be held to one. */
function isAboutReply(warning: CallWarning): boolean {
  return 'feature' in warning && warning.feature === 'responseFormat'
}

/** What a provider does not do of what it was told. */
function warningText(warning: CallWarning): string {
  if ('feature' in warning)
    return `the model does not take \`${warning.feature}\`: ${warning.details ?? 'it was left out'}`
  return warning.message
}

/** The SDK, which would print its warnings where only results go. */
async function quietSdk(): Promise<typeof import('ai')> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}
