import { isMapping } from '../lib/objects.ts'
import * as z from '../lib/zod.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { embedTexts } from './shared/models/embed-texts.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const google = defineProvider({
  type: 'google',
  summary: 'Google models.',
  config: () => z.strictObject(modelFields()),
  examples: [
    {
      title: 'A model',
      target: {
        name: 'default',
        provider: 'google',
        model: 'gemini-2.5-flash',
        api_key: '${{ GOOGLE_GENERATIVE_AI_API_KEY }}',
      },
    },
  ],
  service: {
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    endpoint: ({ base_url = '', model }) => `google ${base_url} ${model}`,
  },
  about: ({ model, base_url }) => describeModel(model, base_url),
  model: { family: ({ model }) => modelFamily(model) },
  looks: true,
  embed: (config, texts, context) => embedTexts(googleEmbeddings, config, texts, context),
  answer: (config, prompt, context) => askModel(googleModel, config, prompt, context),
})

const googleModel = {
  name: 'google',
  model: async (settings: ModelSettings, { model }: { model: string }) => (await loadService(settings))(model),
  answeredBy: (body: unknown) =>
    isMapping(body) && typeof body['modelVersion'] === 'string' ? body['modelVersion'] : undefined,
}

const googleEmbeddings = {
  name: 'google',
  model: async (settings: ModelSettings, { model }: { model: string }) =>
    (await loadService(settings)).embeddingModel(model),
}

async function loadService(settings: ModelSettings) {
  return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)
}
