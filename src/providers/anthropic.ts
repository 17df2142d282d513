import * as z from '../lib/zod.ts'
import { defineProvider } from './define-provider.ts'
import { askModel } from './shared/models/ask-model.ts'
import { describeModel, modelFamily, modelFields } from './shared/models/model-target.ts'
import type { ModelSettings } from './shared/models/sdk-model.ts'

export const anthropic = defineProvider({
  type: 'anthropic',
  summary: 'Anthropic models.',
  config: () => z.strictObject(modelFields()),
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
  service: {
    keyVariables: ['ANTHROPIC_API_KEY'],
    urlVariable: 'ANTHROPIC_BASE_URL',
    endpoint: ({ base_url = '', model }) => `anthropic ${base_url} ${model}`,
  },
  about: ({ model, base_url }) => describeModel(model, base_url),
  model: { family: ({ model }) => modelFamily(model) },
  looks: true,
  answer: (config, prompt, context) => askModel(anthropicModel, config, prompt, context),
})

const anthropicModel = {
  name: 'anthropic',
  schemaWithTools: true as const,
  model: async (settings: ModelSettings, { model }: { model: string }) =>
    (await import('@ai-sdk/anthropic')).createAnthropic({ ...settings, baseURL: addApiVersion(settings.baseURL) })(
      model,
    ),
}

/** Set explicitly: without it, the SDK reads the environment of the process. */
const DEFAULT_URL = 'https://api.anthropic.com'

/** Adds the API version to a URL without a path, as other Anthropic clients do. */
function addApiVersion(url = DEFAULT_URL): string {
  return URL.canParse(url) && new URL(url).pathname === '/' ? `${url.replace(/\/$/, '')}/v1` : url
}
