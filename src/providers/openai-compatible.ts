import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { modelFields } from './shared/model-fields.ts'

export const openaiCompatible = defineProvider({
  type: 'openai_compatible',
  summary: 'Any server that speaks the protocol of OpenAI.',
  config: z.strictObject({ ...modelFields, base_url: z.string().min(1).describe('Where the API is.') }),
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
})
