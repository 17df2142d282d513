import * as z from '../lib/zod.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { embedTexts } from './shared/models/embed-texts.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const openaiCompatible = defineProvider({
  type: 'openai_compatible',
  summary: 'Any server with an OpenAI-compatible API.',
  config: () => z.strictObject({ ...modelFields(), base_url: z.string().min(1).describe('Base URL of the API.') }),
  examples: [
    {
      title: 'A model',
      target: {
        name: 'default',
        provider: 'openai_compatible',
        model: 'llama3',
        base_url: 'http://127.0.0.1:11434/v1',
      },
    },
  ],
  service: {
    endpoint: ({ base_url, model }) => `openai_compatible ${base_url} ${model}`,
  },
  about: ({ model, base_url }) => describeModel(model, base_url),
  model: { family: ({ model }) => modelFamily(model) },
  looks: true,
  embed: (config, texts, context) => embedTexts(compatibleEmbeddings, config, texts, context),
  answer: (config, prompt, context) => askModel(compatibleModel, config, prompt, context),
})

const NAME = 'openai_compatible'

interface ServedModel {
  readonly model: string
  readonly base_url: string
}

const compatibleModel = {
  name: NAME,
  model: async (settings: ModelSettings, config: ServedModel) => (await loadService(settings, config))(config.model),
}

const compatibleEmbeddings = {
  name: NAME,
  model: async (settings: ModelSettings, config: ServedModel) =>
    (await loadService(settings, config)).embeddingModel(config.model),
}

async function loadService(settings: ModelSettings, { base_url: baseURL }: ServedModel) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...settings, name: NAME, baseURL })
}
