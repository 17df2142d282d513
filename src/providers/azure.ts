import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { embedTexts } from './shared/models/embed-texts.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const azure = defineProvider({
  type: 'azure',
  summary: 'OpenAI models on Azure.',
  config: () =>
    z.strictObject({
      ...modelFields(),
      model: modelFields().model.optional(),
      endpoint: z.string().min(1).describe('URL of the Azure resource, for example `https://NAME.openai.azure.com`.'),
      deployment: withHints(z.string().min(1).describe('Name of the deployment.'), { value: deploymentHint }),
      api_version: z.string().min(1).optional().describe('API version. Default: `v1`.'),
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
  embed: (config, texts, context) => embedTexts(azureEmbeddings, config, texts, context),
  answer: (config, prompt, context) => askModel(azureModel, config, prompt, context),
})

/** Explains a missing `deployment`: other formats call it `model`, and the API version `version`. */
function deploymentHint(found: unknown): string | undefined {
  if (found !== undefined) return undefined
  return 'set `deployment` to the name of the deployment (some tools call it `model`); the API version is `api_version`'
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
  model: async (settings: ModelSettings, config: Deployment) => {
    const service = await loadService(settings, config)
    return isDated(config) ? service.chat(config.deployment) : service(config.deployment)
  },
}

const azureEmbeddings = {
  // The SDK looks for the options of embeddings under the name of OpenAI.
  name: 'openai',
  model: async (settings: ModelSettings, config: Deployment) =>
    (await loadService(settings, config)).embeddingModel(config.deployment),
}

async function loadService(settings: ModelSettings, config: Deployment) {
  const { endpoint, base_url, api_version: apiVersion = 'v1' } = config
  const { createAzure } = await import('@ai-sdk/azure')
  const baseURL = base_url ?? `${endpoint.replace(/\/+$/, '').replace(/\/openai$/, '')}/openai`
  return createAzure({ ...settings, baseURL, apiVersion, ...(isDated(config) && { useDeploymentBasedUrls: true }) })
}

/** API versions that are dates use the older URLs, with the deployment in the path. */
function isDated({ api_version = '' }: Deployment): boolean {
  return /^\d{4}-/.test(api_version)
}
