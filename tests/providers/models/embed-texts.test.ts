import type { EmbeddingModelV3 } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { embedTexts } from '../../../src/providers/shared/models/embed-texts.ts'
import { askContext } from '../../support/servers/ask-model.ts'

/** Embeds texts with a model that accepts `most` of them in a request. */
async function embed(texts: readonly string[], most: number | undefined, tokens: number | undefined) {
  const requests: string[][] = []
  const model = {
    maxEmbeddingsPerCall: most,
    doEmbed: async ({ values }: { values: string[] }) => {
      requests.push(values)
      return { embeddings: values.map(text => [text.length]), usage: tokens && { tokens }, warnings: [] }
    },
  } as unknown as EmbeddingModelV3
  const embeddings = await embedTexts({ name: 'a', model: async () => model }, {}, texts, askContext())
  return { requests, ...embeddings }
}

it('embeds all texts in one request if the service has no limit', async () => {
  expect(await embed(['a', 'bb', 'ccc'], undefined, 3)).toEqual({
    requests: [['a', 'bb', 'ccc']],
    vectors: [[1], [2], [3]],
    token_usage: { input: 3 },
  })
})

it('splits texts that are too many for one request, and adds up their tokens', async () => {
  expect(await embed(['a', 'bb', 'ccc'], 2, 3)).toEqual({
    requests: [['a', 'bb'], ['ccc']],
    vectors: [[1], [2], [3]],
    token_usage: { input: 6 },
  })
})

it('has no token usage if the service counts none', async () => {
  expect((await embed(['a'], undefined, undefined)).token_usage).toBeUndefined()
})
