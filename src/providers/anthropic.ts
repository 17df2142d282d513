import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { modelFields } from './shared/model-fields.ts'

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
})
