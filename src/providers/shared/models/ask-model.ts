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
import { loadModel, loadSdk, type ModelAdapter, type ModelConfig, type Sdk } from './sdk-model.ts'

type Result = Pick<Awaited<ReturnType<typeof generateText>>, 'text' | 'finishReason' | 'totalUsage' | 'response'>

/** Sends a prompt to a model through its SDK, with no settings but those of the target. */
export async function askModel<Config extends ModelConfig>(
  adapter: ModelAdapter<Config>,
  config: Config,
  prompt: Prompt,
  context: AskContext,
): Promise<Answer> {
  const messages = await toModelMessages(prompt, context.host)
  const sdk = await loadSdk()
  const { temperature, max_tokens } = config
  const { model, options } = await loadModel(adapter, config, context)
  const { look, reply_schema } = prompt
  // Measured after the SDK is loaded: that time is not the model's.
  const start = context.host.clock.elapsed()
  const result = await sdk
    .generateText({
      model,
      messages,
      allowSystemInMessages: true,
      // Retries are the task of a policy.
      maxRetries: 0,
      abortSignal: context.signal,
      ...withoutNullish({ temperature: prompt.temperature ?? temperature, maxOutputTokens: max_tokens }),
      ...(reply_schema ? { output: replyOutput(reply_schema, sdk) } : {}),
      ...(look ? withFileTools(sdk, model, look, adapter.schemaWithTools ?? false, context) : {}),
      ...(config.options ? { providerOptions: { [adapter.name]: options.sdk as never } } : {}),
    })
    .catch(error => {
      throw toNoAnswer(error, context)
    })
  for (const warning of result.steps.flatMap(({ warnings = [] }) => warnings)) {
    if (!isReplyFormatWarning(warning)) context.warn(formatWarning(warning))
  }
  // A model that still calls tools has given no verdict, but its reply was paid for: it counts as an answer.
  const callsTools = look !== undefined && result.toolCalls.length > 0
  if (result.text === '' && !callsTools) throw noTextError(result.finishReason, result.response.body)
  // Without file tools the model has no tools: its list of calls is known to be empty.
  const output_messages = look ? toTranscript(result.steps) : [{ role: 'assistant', content: result.text }]
  return { ...toAnswer(result, adapter, context.host.clock.elapsed() - start), output_messages }
}

/** Requests a reply with a schema. The text is parsed by the caller. */
function replyOutput(schema: NonNullable<Prompt['reply_schema']>, { jsonSchema, Output }: Sdk) {
  return {
    ...Output.object({ schema: jsonSchema(schema), name: 'reply' }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
  }
}

function toAnswer(result: Result, { answeredBy }: Pick<ModelAdapter<never>, 'answeredBy'>, ms: number): Answer {
  const { text, finishReason, totalUsage, response } = result
  return validateAnswer(
    answerSchema(),
    withoutNullish({
      text,
      token_usage: toTokenUsage(totalUsage),
      model: answeredBy?.(response.body) ?? response.modelId,
      finish_reason: finishReason,
      duration_ms: Math.round(ms),
    }),
  )
}

/** Explains a reply without text: by its finish reason, or by its body if it is no reply of a model at all. */
function noTextError(finishReason: string, body: unknown): NoAnswer {
  if (finishReason !== 'other')
    return new NoAnswer('empty-answer', `the model returned no text (finish reason: ${finishReason})`)
  const reason = truncateForMessage(errorReason(JSON.stringify(body) ?? ''))
  return new NoAnswer('bad-response', `the model's reply has no text: ${reason}`)
}

/** Whether a warning is about the reply schema, which is also described in the prompt, for models without support for it. */
function isReplyFormatWarning(warning: CallWarning): boolean {
  return 'feature' in warning && warning.feature === 'responseFormat'
}

function formatWarning(warning: CallWarning): string {
  if ('feature' in warning)
    return `the model does not support \`${warning.feature}\`: ${warning.details ?? 'the setting is ignored'}`
  return warning.message
}
