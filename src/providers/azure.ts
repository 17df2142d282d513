import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { modelFields } from './shared/model-fields.ts'

export const azure = defineProvider({
  type: 'azure',
  summary: 'OpenAI models on Azure.',
  config: z.strictObject({
    ...modelFields,
    model: modelFields.model.optional(),
    endpoint: z.string().min(1).describe('The resource, as `https://NAME.openai.azure.com`.'),
    deployment: z.string().min(1).describe('Name of the deployment.'),
    api_version: z.string().min(1).optional().describe('Version of the API.'),
  }),
  examples: [
    {
      title: 'A model',
      target: { name: 'default', provider: 'azure', endpoint: '${{ AZURE_ENDPOINT }}', deployment: 'my-deployment' },
    },
  ],
})
