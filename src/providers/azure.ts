import * as z from 'zod'
import { withHints } from '../lib/schema-rules.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const azure = defineProvider({
  type: 'azure',
  summary: 'OpenAI models on Azure.',
  config: z.strictObject({
    ...modelFields,
    model: modelFields.model.optional(),
    endpoint: z.string().min(1).describe('The resource, as `https://NAME.openai.azure.com`.'),
    deployment: withHints(z.string().min(1).describe('Name of the deployment.'), { value: deploymentHint }),
    api_version: z.string().min(1).optional().describe('Version of the API.'),
  }),
  examples: [
    {
      title: 'A model',
      target: { name: 'default', provider: 'azure', endpoint: '${{ AZURE_ENDPOINT }}', deployment: 'my-deployment' },
    },
  ],
  service: {
    keyVariables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    endpoint: ({ endpoint, deployment }) => `azure ${endpoint} ${deployment}`,
  },
  about: ({ model, deployment, endpoint, base_url }) =>
    describeModel(model === undefined ? deployment : `${model} as ${deployment}`, base_url ?? endpoint),
  model: { family: ({ model, deployment }) => modelFamily(model ?? deployment) },
  looks: true,
  answer: (config, prompt, context) => askModel(azureModel, config, prompt, context),
})

/** Other formats call the deployment `model`, and the version of the API `version`. */
function deploymentHint(found: unknown): string | undefined {
  if (found !== undefined) return undefined
  return 'name the deployment, which some tools call `model`; the version of the API is `api_version`'
}

interface Deployment {
  readonly endpoint: string
  readonly deployment: string
  readonly base_url?: string | undefined
  readonly api_version?: string | undefined
}

const azureModel = {
  name: 'azure',
  schemaWithTools: true as const,
  model: async (settings: ModelSettings, { endpoint, deployment, base_url, api_version = 'v1' }: Deployment) => {
    const { createAzure } = await import('@ai-sdk/azure')
    const baseURL = base_url ?? `${endpoint.replace(/\/+$/, '').replace(/\/openai$/, '')}/openai`
    const azure = { ...settings, baseURL, apiVersion: api_version }
    // Versions that are dates belong to the older way, in which the deployment is part of the path.
    return /^\d{4}-/.test(api_version)
      ? createAzure({ ...azure, useDeploymentBasedUrls: true }).chat(deployment)
      : createAzure(azure)(deployment)
  },
}
