import type { LanguageModel } from 'ai'
import type * as z from 'zod'
import { defined } from '../../../lib/defined.ts'
import { isNestedWithin } from '../../../lib/is-nested-within.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from '../../../model/answer-limit.ts'
import type { Host } from '../../../model/host.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import type { AskContext } from '../../../model/provider.ts'
import { badStatus, exchange } from '../http/http-call.ts'
import { reasonIn } from './model-error.ts'
import type { modelFields } from './model-fields.ts'
import { ModelOptions } from './model-options.ts'

export type ModelConfig = Partial<z.output<z.ZodObject<typeof modelFields>>>

/** What every provider of models is made with. */
export interface ModelSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Record<string, string>
  readonly fetch: Fetch
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A model of the SDK, not only its name. */
export type SdkModel = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>

/** A provider's own part in asking a model. */
export interface Asked<Config> {
  /** Under which name the provider looks for its own options. */
  readonly name: string
  model(settings: ModelSettings, config: Config): Promise<SdkModel>
  /** Whether its service holds a reply to a schema also while the model has tools. Others refuse the two together. */
  readonly schemaWithTools?: true
  /** The model that a response names, where its SDK does not say. */
  answeredBy?(body: unknown): string | undefined
}

/** A model with the options of its target. */
interface MadeModel {
  readonly model: SdkModel
  readonly options: ModelOptions
}

/** The models that are made already, by the settings of their targets: making one takes as long as asking it. */
const made = new WeakMap<object, { readonly host: Host; readonly model: Promise<MadeModel> }>()

/** The model of a target. */
export function sdkModel<Config extends ModelConfig>(
  asked: Asked<Config>,
  config: Config,
  { host }: AskContext,
): Promise<MadeModel> {
  const known = made.get(config)
  if (known?.host === host) return known.model
  const model = makeModel(asked, config, host)
  made.set(config, { host, model })
  return model
}

/** What an SDK refuses, or no request can carry, is a mistake of the target. */
async function makeModel<Config extends ModelConfig>(
  { model }: Asked<Config>,
  config: Config,
  host: Host,
): Promise<MadeModel> {
  const { api_key = '', base_url, headers } = config
  const options = new ModelOptions(config.options)
  if (!canBeSent({ authorization: api_key, ...headers })) {
    throw new NoAnswer('target-error', 'no request can be made with this `api_key` and these `headers`')
  }
  const settings = defined({
    apiKey: config.api_key,
    baseURL: base_url,
    headers,
    fetch: hostFetch(host, options),
  })
  try {
    return { model: await model(settings as unknown as ModelSettings, config), options }
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

/** Requests of an SDK go the same way as all others, with the same limits; options that it does not know are added. */
function hostFetch(host: Host, options: ModelOptions): Fetch {
  return async (url, init = {}) => {
    const fields = options.fields()
    const isWhole = Object.keys(fields).length === 0
    const body = isWhole ? String(init.body) : JSON.stringify({ ...JSON.parse(String(init.body)), ...fields })
    const request = { ...init, body, signal: init.signal ?? new AbortController().signal }
    const { response, text } = await exchange(String(url), request, host, 'base_url').catch(fromService)
    const { status, statusText, headers } = response
    // Said here, with the words of the server: an SDK would tell less.
    if (status < 200 || status > 399) fromService(badStatus(response, reasonIn(text), host.clock.now()))
    // An SDK would run out of stack.
    if (!isNestedWithin(parseJson(text), DEEPEST_ANSWER))
      throw new NoAnswer('bad-response', `the model's reply ${TOO_DEEP}`)
    return new Response(text === '' ? null : text, { status, statusText, headers })
  }
}

/** What fails at a service is not the model's doing. */
function fromService(error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error
  throw new NoAnswer(error.code, error.message, { ...error, never_reached: true })
}
