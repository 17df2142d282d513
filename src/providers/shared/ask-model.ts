import type { CallWarning, LanguageModel } from 'ai'
import type { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { type Answer, answerSchema } from '../../model/answer.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { AskContext } from '../provider.ts'
import { checked } from './answer-parts.ts'
import { begin } from './envelope.ts'
import { badStatus, exchange } from './http-call.ts'
import { modelError, reasonIn } from './model-error.ts'
import type { modelFields } from './model-fields.ts'
import { modelMessages } from './model-messages.ts'
import { tokenUsage } from './token-usage.ts'

export type ModelConfig = Partial<z.output<z.ZodObject<typeof modelFields>>>

/** What every provider of models is made with. */
export interface ModelSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Record<string, string>
  readonly fetch: Fetch
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

interface Asked<Config> {
  /** Under which name the provider looks for its own options. */
  readonly name: string
  model(settings: ModelSettings, config: Config): Promise<LanguageModel>
  /** The model that a response names, where its SDK does not say. */
  answeredBy?(body: unknown): string | undefined
}

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
  const result = await generateText({
    model: await modelOf(asked, config, context),
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
    ...(options ? { providerOptions: { [asked.name]: options as never } } : {}),
  }).catch(error => {
    throw modelError(error, context)
  })
  const { text, finishReason, usage, response, warnings = [] } = result
  for (const warning of warnings) context.warn(warningText(warning))
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

/** The model of a target; what its SDK refuses, or no request can carry, is a mistake of the target. */
async function modelOf<Config extends ModelConfig>(
  { model }: Asked<Config>,
  config: Config,
  context: AskContext,
): Promise<LanguageModel> {
  const { api_key = '', base_url, headers } = config
  if (!canBeSent({ authorization: api_key, ...headers })) {
    throw new NoAnswer('target-error', 'no request can be made with this `api_key` and these `headers`')
  }
  if (base_url !== undefined && !URL.canParse(base_url)) {
    throw new NoAnswer('target-error', `no request can go to ${begin(base_url)}: a URL begins with http:// or https://`)
  }
  const settings = defined({ apiKey: config.api_key, baseURL: base_url, headers, fetch: hostFetch(context) })
  try {
    return await model(settings as unknown as ModelSettings, config)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new NoAnswer('target-error', `no request can be made with the settings of the target: ${error.message}`)
  }
}

function canBeSent(headers: Record<string, string>): boolean {
  try {
    new Headers(headers)
    return true
  } catch {
    return false
  }
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

/** Requests of an SDK go the same way as all others, with the same limits. */
function hostFetch({ host, signal }: AskContext): Fetch {
  return async (url, init) => {
    const { response, text } = await exchange(String(url), { ...init, signal }, host, 'base_url')
    const { status, statusText, headers } = response
    // Said here, with the words of the server: an SDK would tell less.
    if (status < 200 || status > 399) throw badStatus(response, reasonIn(text), host.now())
    return new Response(text === '' ? null : text, { status, statusText, headers })
  }
}
