import type { EmbeddingModelV3, EmbeddingModelV3CallOptions, EmbeddingModelV3Result } from '@ai-sdk/provider'
import { isMapping } from '../../../lib/objects.ts'
import { NoAnswer, type TokenUsage, tokenUsageSchema } from '../../../model/answer.ts'
import type { Embeddings } from '../../../model/embeddings.ts'
import type { AskContext } from '../../../model/provider.ts'
import { validateAnswer } from '../answer-parts.ts'
import { toNoAnswer } from './model-reply.ts'
import { type EmbeddingAdapter, loadModel, type ModelConfig } from './sdk-model.ts'

/** Embeds texts with a model through its SDK. */
export async function embedTexts<Config extends ModelConfig>(
  adapter: EmbeddingAdapter<Config>,
  config: Config,
  texts: readonly string[],
  context: AskContext,
): Promise<Embeddings> {
  const { model, options } = await loadModel(adapter, config, context)
  const replies = await embedInParts(model, {
    values: [...texts],
    abortSignal: context.signal,
    ...(config.options ? { providerOptions: { [adapter.name]: options.sdk as never } } : {}),
  }).catch(error => {
    throw toNoAnswer(error, context)
  })
  for (const { response } of replies) requireOrder(response?.body)
  return { vectors: replies.flatMap(({ embeddings }) => embeddings), token_usage: toTokenUsage(replies) }
}

/** Sends as many texts in a request as the service accepts. */
async function embedInParts(
  model: EmbeddingModelV3,
  request: EmbeddingModelV3CallOptions,
): Promise<EmbeddingModelV3Result[]> {
  const most = (await model.maxEmbeddingsPerCall) ?? Infinity
  const replies: EmbeddingModelV3Result[] = []
  for (let from = 0; from < request.values.length; from += most)
    replies.push(await model.doEmbed({ ...request, values: request.values.slice(from, from + most) }))
  return replies
}

/** Throws `NoAnswer` if vectors are numbered in another order than that of the texts: the SDK ignores the numbers. */
function requireOrder(body: unknown): void {
  const items = isMapping(body) && Array.isArray(body['data']) ? body['data'] : []
  const isMoved = items.some((item, place) => isMapping(item) && (item['index'] ?? place) !== place)
  if (isMoved) throw new NoAnswer('bad-response', 'the embeddings are not in the order of the texts')
}

/** Adds up the tokens. Some services do not count them. */
function toTokenUsage(replies: readonly EmbeddingModelV3Result[]): TokenUsage | undefined {
  if (!replies.every(({ usage }) => usage)) return undefined
  const input = replies.reduce((sum, { usage }) => sum + (usage?.tokens ?? 0), 0)
  return Number.isNaN(input) ? undefined : validateAnswer(tokenUsageSchema(), { input })
}
