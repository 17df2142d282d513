import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { modelFields } from './shared/model-fields.ts'

export const openai = defineProvider({
  type: 'openai',
  summary: 'OpenAI models.',
  config: z.strictObject(modelFields),
  examples: [
    {
      title: 'A model',
      target: { name: 'default', provider: 'openai', model: 'gpt-5-mini', api_key: '${{ OPENAI_API_KEY }}' },
    },
  ],
})
