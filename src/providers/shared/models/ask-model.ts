import type { CallWarning, generateText } from 'ai'
import { beginning } from '../../../lib/beginning.ts'
import { defined } from '../../../lib/defined.ts'
import { type Answer, answerSchema } from '../../../model/answer.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import { checked } from '../answer-parts.ts'
import { lookingModel } from '../looking/looking-model.ts'
import { modelError, reasonIn } from './model-error.ts'
import { modelMessages } from './model-messages.ts'
import { modelTranscript } from './model-transcript.ts'
import { type Asked, type ModelConfig, sdkModel } from './sdk-model.ts'
import { tokenUsage } from './token-usage.ts'

type Sdk = typeof import('ai')
type Result = Pick<Awaited<ReturnType<typeof generateText>>, 'text' | 'finishReason' | 'totalUsage' | 'response'>

/** Asks a model through its SDK, which is loaded now. Nothing is sent that the target does not say. */
export async function askModel<Config extends ModelConfig>(
  asked: Asked<Config>,
  config: Config,
  prompt: Prompt,
  context: AskContext,
): Promise<Answer> {
  const messages = await modelMessages(prompt, context.host)
  const sdk = await quietSdk()
  const { temperature, max_tokens } = config
  const { model, options } = await sdkModel(asked, config, context)
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
      ...defined({ temperature: prompt.temperature ?? temperature, maxOutputTokens: max_tokens }),
      ...(reply_schema ? { output: replyAs(reply_schema, sdk) } : {}),
      ...(look ? lookingModel(sdk, model, look, asked.schemaWithTools ?? false, context) : {}),
      ...(config.options ? { providerOptions: { [asked.name]: options.sdk as never } } : {}),
    })
    .catch(error => {
      throw modelError(error, context)
    })
  for (const warning of result.steps.flatMap(({ warnings = [] }) => warnings)) {
    if (!isAboutReply(warning)) context.warn(warningText(warning))
  }
  // Who still calls tools has not decided: that is a reply, though it says nothing, and it was paid for.
  const stillLooks = look !== undefined && result.toolCalls.length > 0
  if (result.text === '' && !stillLooks) throw noText(result.finishReason, result.response.body)
  // A model alone calls no tools, and that is known.
  const output_messages = look ? modelTranscript(result.steps) : [{ role: 'assistant', content: result.text }]
  return { ...answerOf(result, asked, context.host.clock.elapsed() - start), output_messages }
}

/** The reply is asked for in this form, and read by whoever asked. */
function replyAs(schema: NonNullable<Prompt['reply_schema']>, { jsonSchema, Output }: Sdk) {
  return {
    ...Output.object({ schema: jsonSchema(schema), name: 'reply' }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
  }
}

function answerOf(result: Result, { answeredBy }: Pick<Asked<never>, 'answeredBy'>, ms: number): Answer {
  const { text, finishReason, totalUsage, response } = result
  return checked(
    answerSchema,
    defined({
      text,
      token_usage: tokenUsage(totalUsage),
      model: answeredBy?.(response.body) ?? response.modelId,
      finish_reason: finishReason,
      duration_ms: Math.round(ms),
    }),
  )
}

/** A reply without text: one that ended for a reason that services have, or something else altogether. */
function noText(finishReason: string, body: unknown): NoAnswer {
  if (finishReason !== 'other')
    return new NoAnswer('empty-answer', `the model gave no text: it stopped with ${finishReason}`)
  const reason = beginning(reasonIn(JSON.stringify(body) ?? ''))
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
async function quietSdk(): Promise<Sdk> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}
