import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { modelFields } from './shared/model-fields.ts'

export const google = defineProvider({
  type: 'google',
  summary: 'Google models.',
  config: z.strictObject(modelFields),
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
})
