import * as z from 'zod'
import { headersSchema, redactUrl } from '../http/http-request.ts'

/** Fields of every provider that calls a model's API. */
export const modelFields = {
  model: z.string().min(1).describe('Name of the model.'),
  api_key: z
    .string()
    .min(1)
    .optional()
    .describe("The key, best as `${{ NAME }}`. Default: the provider's usual variable."),
  base_url: z.string().min(1).optional().describe('Where the API is, when not at its usual place.'),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature.'),
  max_tokens: z.int().min(1).optional().describe('The most tokens of an answer.'),
  headers: headersSchema.optional().describe('Headers added to each request.'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Further settings of a request: names of the service (`top_k`, `seed`) are sent as they are, unless the provider's SDK knows them; names with capitals are those of the SDK, as `reasoningEffort`. One that it does not know is an error of the attempt.",
    ),
}

/** A model in a few words: its name, and where it is when not at its usual place. */
export function describeModel(model: string, url: string | undefined): string {
  return url === undefined ? model : `${model} at ${redactUrl(url)}`
}

/** How the names of models of one family begin. */
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

/** One group for each family. Services put regions, makers and folders before a name. */
const NAME = new RegExp(
  `(?:^|[/.:])(?:${Object.entries(FAMILIES)
    .map(([family, names]) => `(?<${family}>${names.join('|')})`)
    .join('|')})(?![a-z])`,
  'i',
)

/** The family of a model by its name; undefined where the name does not tell. */
export function modelFamily(name: string): string | undefined {
  const found = Object.entries(NAME.exec(name)?.groups ?? {})
  return found.find(([, match]) => match !== undefined)?.[0]
}
