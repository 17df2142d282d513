import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { isNestedWithin, withoutNullish } from '../../../lib/objects.ts'
import type * as z from '../../../lib/zod.ts'
import { NoAnswer } from '../../../model/answer.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from '../../../model/answer-limits.ts'
import type { Host } from '../../../model/host.ts'
import type { HttpResponse } from '../../../model/http-exchange.ts'
import type { AskContext } from '../../../model/provider.ts'
import { fetchResponse, statusError } from '../http/http-request.ts'
import { ModelOptions } from './model-options.ts'
import { errorReason } from './model-reply.ts'
import type { modelFields } from './model-target.ts'

export type ModelConfig = Partial<z.output<z.ZodObject<ReturnType<typeof modelFields>>>>

/** Settings shared by the SDKs of all providers. */
export interface ModelSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Record<string, string>
  readonly fetch: Fetch
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** How a provider creates models of a kind. */
interface ModelSource<Config, Model> {
  /** The key under which the SDK looks for provider options. */
  readonly name: string
  model(settings: ModelSettings, config: Config): Promise<Model>
}

/** The provider-specific part of embedding texts. */
export type EmbeddingAdapter<Config> = ModelSource<Config, EmbeddingModelV3>

/** The provider-specific part of calling a model. */
export interface ModelAdapter<Config> extends ModelSource<Config, LanguageModelV3> {
  /** Whether the service supports a reply schema together with tools. */
  readonly schemaWithTools?: true
  /** Returns the model named in a response, for SDKs that do not report it. */
  answeredBy?(body: unknown): string | undefined
}

/** A model of the SDK with the options of its target. */
interface LoadedModel<Model> {
  readonly model: Model
  readonly options: ModelOptions
}

interface CachedModel {
  readonly host: Host
  readonly model: Promise<LoadedModel<unknown>>
}

/** Loaded models by their source and the settings of their targets: loading one takes as long as a request. */
const loadedModels = new WeakMap<object, WeakMap<object, CachedModel>>()

/** Loads the model of a target, once. */
export function loadModel<Config extends ModelConfig, Model>(
  source: ModelSource<Config, Model>,
  config: Config,
  { host }: AskContext,
): Promise<LoadedModel<Model>> {
  const models = loadedModels.get(source) ?? new WeakMap<object, CachedModel>()
  loadedModels.set(source, models)
  const known = models.get(config)
  if (known?.host === host) return known.model as Promise<LoadedModel<Model>>
  const model = createModel(source, config, host)
  models.set(config, { host, model })
  return model
}

/** Creates a model. Throws `NoAnswer` if the SDK rejects the settings, or if they are invalid in a header. */
async function createModel<Config extends ModelConfig, Model>(
  { model }: ModelSource<Config, Model>,
  config: Config,
  host: Host,
): Promise<LoadedModel<Model>> {
  const { api_key = '', base_url, headers } = config
  const options = new ModelOptions(config.options)
  if (!areValidHeaders({ authorization: api_key, ...headers })) {
    throw new NoAnswer(
      'target-error',
      'invalid `api_key` or `headers`: a value has characters that an HTTP header cannot contain',
    )
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
    throw new NoAnswer('target-error', `invalid settings of the target: ${error.message}`)
  }
}

function areValidHeaders(headers: Record<string, string>): boolean {
  return Object.entries(headers).every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value.trim()))
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** A `fetch` for the SDK, with the limits of all our requests. Adds the options that the SDK does not know. */
function hostFetch(host: Host, options: ModelOptions): Fetch {
  return async (url, init = {}) => {
    const fields = options.fields()
    const isWhole = Object.keys(fields).length === 0
    const body = isWhole ? String(init.body) : JSON.stringify({ ...JSON.parse(String(init.body)), ...fields })
    const { method = 'POST', headers, signal } = init
    const request = { method, headers: headers as Record<string, string>, body, signal: signal as AbortSignal }
    const { response, text } = await fetchResponse(String(url), request, host, 'base_url').catch(throwServiceError)
    const { status } = response
    // Reported here, with the message of the server: the SDK would drop it.
    if (status < 200 || status > 399) throwServiceError(statusError(response, errorReason(text), host.clock.now()))
    // Deeply nested JSON overflows the stack of the SDK.
    if (!isNestedWithin(parseJson(text), DEEPEST_ANSWER))
      throw new NoAnswer('bad-response', `the model's reply ${TOO_DEEP}`)
    return sdkResponse(response, text)
  }
}

/** What the SDK reads of a response. A `Response` with its streams takes longer than everything else in a call. */
function sdkResponse({ status, statusText, headers }: HttpResponse, text: string): Response {
  const body = text === '' ? null : { getReader: () => textReader(text) }
  return { ok: status < 300, status, statusText, headers, body, text: async () => text } as unknown as Response
}

function textReader(text: string) {
  const chunks = [new TextEncoder().encode(text)]
  const read = async () => ({ done: chunks.length === 0, value: chunks.pop() })
  return { read, cancel: async () => {}, releaseLock: () => {} }
}

/** Marks an error of the service: the model was never reached. */
function throwServiceError(error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error
  throw new NoAnswer(error.code, error.message, { ...error, never_reached: true })
}
