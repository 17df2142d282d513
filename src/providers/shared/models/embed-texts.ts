import { isMapping } from '../../../lib/objects.ts'
import { NoAnswer, type TokenUsage, tokenUsageSchema } from '../../../model/answer.ts'
import type { Embeddings } from '../../../model/embeddings.ts'
import type { AskContext } from '../../../model/provider.ts'
import { validateAnswer } from '../answer-parts.ts'
import { toNoAnswer } from './model-reply.ts'
import { type EmbeddingAdapter, loadModel, loadSdk, type ModelConfig } from './sdk-model.ts'

/** Embeds texts with a model through its SDK. */
export async function embedTexts<Config extends ModelConfig>(
  adapter: EmbeddingAdapter<Config>,
  config: Config,
  texts: readonly string[],
  context: AskContext,
): Promise<Embeddings> {
  const { embedMany } = await loadSdk()
  const { model, options } = await loadModel(adapter, config, context)
  const { embeddings, usage, responses } = await embedMany({
    model,
    values: [...texts],
    // Retries are the task of a policy.
    maxRetries: 0,
    abortSignal: context.signal,
    ...(config.options ? { providerOptions: { [adapter.name]: options.sdk as never } } : {}),
  }).catch(error => {
    throw toNoAnswer(error, context)
  })
  for (const response of responses ?? []) requireOrder(response?.body)
  return { vectors: embeddings, token_usage: toTokenUsage(usage) }
}

/** Throws `NoAnswer` if vectors are numbered in another order than that of the texts: the SDK ignores the numbers. */
function requireOrder(body: unknown): void {
  const items = isMapping(body) && Array.isArray(body['data']) ? body['data'] : []
  const isMoved = items.some((item, place) => isMapping(item) && (item['index'] ?? place) !== place)
  if (isMoved) throw new NoAnswer('bad-response', 'the embeddings are not in the order of the texts')
}

/** The SDK reports `NaN` for services that do not count tokens. */
function toTokenUsage({ tokens }: { readonly tokens: number }): TokenUsage | undefined {
  return Number.isNaN(tokens) ? undefined : validateAnswer(tokenUsageSchema(), { input: tokens })
}
