import * as z from '../lib/zod.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { embedTexts } from './shared/models/embed-texts.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const openai = defineProvider({
  type: 'openai',
  summary: 'OpenAI models.',
  config: () => z.strictObject(modelFields()),
  examples: [
    {
      title: 'A model',
      target: { name: 'default', provider: 'openai', model: 'gpt-5-mini', api_key: '${{ OPENAI_API_KEY }}' },
    },
  ],
  service: {
    keyVariables: ['OPENAI_API_KEY'],
    urlVariable: 'OPENAI_BASE_URL',
    endpoint: ({ base_url = '', model }) => `openai ${base_url} ${model}`,
  },
  about: ({ model, base_url }) => describeModel(model, base_url),
  model: { family: ({ model }) => modelFamily(model) },
  looks: true,
  embed: (config, texts, context) => embedTexts(openaiEmbeddings, config, texts, context),
  answer: (config, prompt, context) => askModel(openaiModel, config, prompt, context),
})

/** Set explicitly: without it, the SDK reads the environment of the process. */
const DEFAULT_URL = 'https://api.openai.com/v1'

const openaiModel = {
  name: 'openai',
  schemaWithTools: true as const,
  model: async (settings: ModelSettings, { model }: { model: string }) => (await loadService(settings))(model),
}

const openaiEmbeddings = {
  name: 'openai',
  model: async (settings: ModelSettings, { model }: { model: string }) =>
    (await loadService(settings)).embeddingModel(model),
}

async function loadService(settings: ModelSettings) {
  return (await import('@ai-sdk/openai')).createOpenAI({ baseURL: DEFAULT_URL, ...settings })
}
