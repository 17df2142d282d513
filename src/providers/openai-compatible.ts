import * as z from 'zod'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const openaiCompatible = defineProvider({
  type: 'openai_compatible',
  summary: 'Any server with an OpenAI-compatible API.',
  config: z.strictObject({ ...modelFields, base_url: z.string().min(1).describe('Base URL of the API.') }),
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
  answer: (config, prompt, context) => askModel(compatibleModel, config, prompt, context),
})

const compatibleModel = {
  name: 'openai_compatible',
  model: async (settings: ModelSettings, { model, base_url: baseURL }: { model: string; base_url: string }) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ ...settings, name: 'openai_compatible', baseURL })(model)
  },
}
