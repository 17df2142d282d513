import type { LanguageModel } from 'ai'
import type * as z from 'zod'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { isNestedWithin, withoutNullish } from '../../../lib/objects.ts'
import { NoAnswer } from '../../../model/answer.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from '../../../model/answer-limits.ts'
import type { Host } from '../../../model/host.ts'
import type { AskContext } from '../../../model/provider.ts'
import { fetchResponse, statusError } from '../http/http-request.ts'
import { ModelOptions } from './model-options.ts'
import { errorReason } from './model-reply.ts'
import type { modelFields } from './model-target.ts'

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
export interface ModelAdapter<Config> {
  /** Under which name the provider looks for its own options. */
  readonly name: string
  model(settings: ModelSettings, config: Config): Promise<SdkModel>
  /** Whether its service holds a reply to a schema also while the model has tools. Others refuse the two together. */
  readonly schemaWithTools?: true
  /** The model that a response names, where its SDK does not say. */
  answeredBy?(body: unknown): string | undefined
}

/** A model with the options of its target. */
interface LoadedModel {
  readonly model: SdkModel
  readonly options: ModelOptions
}

/** The models that are made already, by the settings of their targets: making one takes as long as asking it. */
const loadedModels = new WeakMap<object, { readonly host: Host; readonly model: Promise<LoadedModel> }>()

/** The model of a target. */
export function loadModel<Config extends ModelConfig>(
  asked: ModelAdapter<Config>,
  config: Config,
  { host }: AskContext,
): Promise<LoadedModel> {
  const known = loadedModels.get(config)
  if (known?.host === host) return known.model
  const model = createModel(asked, config, host)
  loadedModels.set(config, { host, model })
  return model
}

/** What an SDK refuses, or no request can carry, is a mistake of the target. */
async function createModel<Config extends ModelConfig>(
  { model }: ModelAdapter<Config>,
  config: Config,
  host: Host,
): Promise<LoadedModel> {
  const { api_key = '', base_url, headers } = config
  const options = new ModelOptions(config.options)
  if (!areValidHeaders({ authorization: api_key, ...headers })) {
    throw new NoAnswer('target-error', 'no request can be made with this `api_key` and these `headers`')
  }
  const settings = withoutNullish({
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

function areValidHeaders(headers: Record<string, string>): boolean {
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
    const { response, text } = await fetchResponse(String(url), request, host, 'base_url').catch(throwServiceError)
    const { status, statusText, headers } = response
    // Said here, with the words of the server: an SDK would tell less.
    if (status < 200 || status > 399) throwServiceError(statusError(response, errorReason(text), host.clock.now()))
    // An SDK would run out of stack.
    if (!isNestedWithin(parseJson(text), DEEPEST_ANSWER))
      throw new NoAnswer('bad-response', `the model's reply ${TOO_DEEP}`)
    return new Response(text === '' ? null : text, { status, statusText, headers })
  }
}

/** What fails at a service is not the model's doing. */
function throwServiceError(error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error
  throw new NoAnswer(error.code, error.message, { ...error, never_reached: true })
}
