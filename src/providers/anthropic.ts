import * as z from 'zod'
import { defineProvider } from './provider.ts'
import { aboutModel } from './shared/models/about-model.ts'
import { askModel } from './shared/models/ask-model.ts'
import { modelFamily } from './shared/models/model-family.ts'
import { modelFields } from './shared/models/model-fields.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const anthropic = defineProvider({
  type: 'anthropic',
  summary: 'Anthropic models.',
  config: z.strictObject(modelFields),
  examples: [
    {
      title: 'A model',
      target: {
        name: 'default',
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        api_key: '${{ ANTHROPIC_API_KEY }}',
      },
    },
  ],
  keyVariables: ['ANTHROPIC_API_KEY'],
  endpoint: ({ base_url = '', model }) => `anthropic ${base_url} ${model}`,
  about: ({ model, base_url }) => aboutModel(model, base_url),
  family: ({ model }) => modelFamily(model),
  looks: true,
  answer: (config, prompt, context) => askModel(anthropicModel, config, prompt, context),
})

const anthropicModel = {
  name: 'anthropic',
  schemaWithTools: true as const,
  model: async (settings: ModelSettings, { model }: { model: string }) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model),
}
