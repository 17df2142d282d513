import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import { headersSchema, redactUrl } from '../http/http-request.ts'

/** Fields shared by all providers that call the API of a model. */
export const modelFields = lazily(() => ({
  model: z.string().min(1).describe('Name of the model.'),
  api_key: z
    .string()
    .min(1)
    .optional()
    .describe("API key, preferably as `${{ NAME }}`. Default: the provider's environment variable."),
  base_url: z.string().min(1).optional().describe('Base URL of the API. Default: that of the provider.'),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature.'),
  max_tokens: z.int().min(1).optional().describe('Maximum number of tokens in an answer.'),
  headers: headersSchema().optional().describe('Headers added to every request.'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Additional request settings. Names that the provider's SDK knows, such as `reasoningEffort`, are passed to it. Other lower-case names, such as `top_k` or `seed`, are sent to the service unchanged. An unknown name with capitals is an error of the attempt.",
    ),
}))

/** Describes a model by its name, and by its URL if that is not the default. */
export function describeModel(model: string, url: string | undefined): string {
  return url === undefined ? model : `${model} at ${redactUrl(url)}`
}

/** Prefixes of the model names of each family. */
const FAMILIES = {
  gpt: ['gpt', 'chatgpt', 'codex', 'o1', 'o3', 'o4'],
  claude: ['claude'],
  gemini: ['gemini'],
  gemma: ['gemma'],
  llama: ['llama', 'codellama'],
  mistral: ['mistral', 'mixtral', 'ministral', 'magistral', 'codestral', 'devstral', 'pixtral', 'open-mi[sx]tral'],
  qwen: ['qwen', 'qwq', 'qvq'],
  deepseek: ['deepseek'],
  grok: ['grok'],
  command: ['command'],
  nova: ['nova'],
  phi: ['phi'],
  kimi: ['kimi'],
  glm: ['glm', 'chatglm'],
  granite: ['granite'],
  jamba: ['jamba'],
}

/** One group per family. Services prefix a name with regions, vendors or folders. */
const NAME = new RegExp(
  `(?:^|[/.:])(?:${Object.entries(FAMILIES)
    .map(([family, names]) => `(?<${family}>${names.join('|')})`)
    .join('|')})(?![a-z])`,
  'i',
)

/** Finds the family of a model by its name. */
export function modelFamily(name: string): string | undefined {
  const found = Object.entries(NAME.exec(name)?.groups ?? {})
  return found.find(([, match]) => match !== undefined)?.[0]
}
