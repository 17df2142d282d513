import type { Origin } from '../../model/location.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import { mapStrings } from '../map-strings.ts'
import { safeSetting, variableFor } from '../secrets.ts'
import type { Written } from '../written.ts'

type Settings = Readonly<Record<string, Written>>
type Context = ImportContext & { readonly at: Origin }

/** A target without its name, and the settings of the provider that it has. */
type ProviderTarget = Fields & { readonly used: readonly string[] }

type Convert = (rest: string, settings: Settings, context: Context) => ProviderTarget | undefined

/** The target of a provider; undefined if Assay has no such provider. */
export function providerTarget(id: string, settings: Settings, context: Context): ProviderTarget | undefined {
  if (/^https?(?::|$)/.test(id)) return httpTarget(id, settings, context)
  const [kind = '', ...rest] = id.split(':')
  return PROVIDERS.get(kind)?.(rest.join(':'), settings, context)
}

/** Whether an id names a kind of provider that has an equivalent with the right settings. */
export function isProvider(id: string): boolean {
  return /^https?(?::|$)/.test(id) || PROVIDERS.has(id.split(':')[0] ?? '')
}

/** Services whose API is that of OpenAI: their URL, and the variable of their key. */
const COMPATIBLE: Readonly<Record<string, readonly [url: string, key?: string]>> = {
  ollama: ['http://127.0.0.1:11434/v1'],
  openrouter: ['https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  mistral: ['https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  groq: ['https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  deepseek: ['https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
  xai: ['https://api.x.ai/v1', 'XAI_API_KEY'],
  perplexity: ['https://api.perplexity.ai', 'PERPLEXITY_API_KEY'],
  cerebras: ['https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
  togetherai: ['https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
  fireworks: ['https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
  localai: ['http://127.0.0.1:8080/v1'],
  litellm: ['http://127.0.0.1:4000', 'LITELLM_API_KEY'],
  llamafile: ['http://127.0.0.1:8080/v1'],
}

const PROVIDERS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['openai', openaiTarget],
  ['anthropic', anthropicTarget],
  ['google', googleTarget],
  ['azure', azureTarget],
  ['azureopenai', azureTarget],
  ['exec', execTarget],
  ['echo', () => ({ provider: 'cli', command: ['cat'], used: [] })],
  ...Object.entries(COMPATIBLE).map(([kind, [url, key]]): [string, Convert] => [
    kind,
    (rest, settings, context) => compatibleTarget(rest, url, key, settings, context),
  ]),
])

/** The model behind a kind of API, such as `chat:gpt-5`; undefined for a kind that does not chat. */
function modelOf(rest: string, chats: readonly string[]): string | undefined {
  const [, kind, model] = /^([a-z][a-z-]*):(.+)$/s.exec(rest) ?? []
  if (kind === undefined) return /^[\w.@/-]+$/.test(rest) && !NO_CHAT.includes(rest) ? rest : undefined
  return chats.includes(kind) ? model : undefined
}

/** Kinds of API that do not chat. */
const NO_CHAT = ['image', 'video', 'embedding', 'embeddings', 'moderation', 'realtime', 'live', 'assistant', 'agents']

const URL_SETTINGS = ['apiBaseUrl', 'apiHost']

function baseUrl(settings: Settings, { notes }: Context): Fields {
  const { apiBaseUrl, apiHost } = settings
  const written = apiBaseUrl ?? apiHost
  if (!written) return {}
  const url = safeSetting('base_url', written, 'API_BASE_URL', notes)
  return { base_url: apiBaseUrl || /^https?:|^\$\{\{/.test(String(url)) ? url : `https://${String(url)}/v1` }
}

function openaiTarget(rest: string, settings: Settings, context: Context): ProviderTarget | undefined {
  if (/^codex(?:-|$)/.test(rest)) return agentTarget('codex_cli', settings, context)
  const model = modelOf(rest, ['chat', 'responses', 'completion'])
  return model === undefined
    ? undefined
    : { provider: 'openai', model, ...baseUrl(settings, context), used: URL_SETTINGS }
}

function anthropicTarget(rest: string, settings: Settings, context: Context): ProviderTarget | undefined {
  if (/^claude-(?:agent-sdk|code)/.test(rest)) return agentTarget('claude_cli', settings, context)
  const model = modelOf(rest, ['messages', 'completion'])
  return model === undefined
    ? undefined
    : { provider: 'anthropic', model, ...baseUrl(settings, context), used: URL_SETTINGS }
}

function agentTarget(provider: string, { model }: Settings, { notes, at }: Context): ProviderTarget {
  notes.approximated(
    at,
    `an SDK of a coding agent → \`${provider}\`: the agent runs as a program, with its own settings`,
  )
  const name = model?.text()
  return { provider, ...(name === undefined ? {} : { model: name }), used: ['model'] }
}

function googleTarget(rest: string): ProviderTarget | undefined {
  const model = modelOf(rest, [])
  return model === undefined ? undefined : { provider: 'google', model, used: [] }
}

function azureTarget(rest: string, settings: Settings, { notes }: Context): ProviderTarget | undefined {
  const deployment = modelOf(rest, ['chat', 'responses', 'completion'])
  const { apiHost, apiBaseUrl } = settings
  const host = apiBaseUrl ?? apiHost
  if (deployment === undefined) return undefined
  const written = host ? String(safeSetting('endpoint', host, 'AZURE_ENDPOINT', notes)) : '${{ AZURE_ENDPOINT }}'
  const endpoint = /^https?:|^\$\{\{/.test(written) ? written : `https://${written}`
  return { provider: 'azure', deployment, endpoint, used: URL_SETTINGS }
}

function compatibleTarget(
  rest: string,
  base_url: string,
  key: string | undefined,
  settings: Settings,
  context: Context,
): ProviderTarget | undefined {
  const model = rest.replace(/^(?:chat|completion|responses):/, '')
  if (model === '' || /^(?:image|embeddings?|moderation|voice|agent):/.test(model)) return undefined
  const api_key = key === undefined ? {} : { api_key: `\${{ ${key} }}` }
  return {
    provider: 'openai_compatible',
    model,
    base_url,
    ...baseUrl(settings, context),
    ...api_key,
    used: URL_SETTINGS,
  }
}

/** The program gets the prompt as its last argument. */
function execTarget(
  rest: string,
  settings: Settings,
  { notes, at, files, output }: Context,
): ProviderTarget | undefined {
  const words = rest.trim().split(/\s+/)
  if (words.length === 0 || words[0] === '' || /["'\\$`]/.test(rest)) return undefined
  notes.approximated(at, '`exec:` → `cli`: the program gets the prompt, but not the options and the context as JSON')
  const folder = files.resolve('.', at.file)
  const cwd = folder === output ? {} : { cwd: files.pathFrom(output, folder) }
  return { provider: 'cli', command: [...words, '{PROMPT}'], ...cwd, used: settings['basePath'] ? ['basePath'] : [] }
}

const HTTP_SETTINGS = ['url', 'method', 'headers', 'body', 'transformResponse', 'responseParser']

function httpTarget(id: string, settings: Settings, context: Context): ProviderTarget | undefined {
  const { notes, at } = context
  const { url: written, method, headers, body, transformResponse = settings['responseParser'] } = settings
  const url = written ? safeSetting('url', written, 'TARGET_URL', notes) : id
  const verb = method?.text()?.toUpperCase() ?? 'POST'
  if (typeof url !== 'string' || !/^https?:|^\$\{\{/.test(url) || settings['request']) return undefined
  if (!['GET', 'POST', 'PUT', 'PATCH'].includes(verb)) return undefined
  const path = textPath(transformResponse?.text())
  if (transformResponse && path === undefined)
    notes.leftOut(transformResponse.at, '`transformResponse`: write the path of the text as `response.text`', 'key')
  const unknown = JSON.stringify([body?.value ?? '', url]).match(/\{\{(?!\s*(?:prompt|env\.\w+)\s*\}\})[^}]*\}\}/)
  if (unknown) notes.leftOut(at, 'variables other than `{{prompt}}` in a request')
  const filled = body && mapStrings(body.value, text => text.replace(/\{\{\s*prompt\s*(?:\|[^}]*)?\}\}/g, '{{prompt}}'))
  const entries = headers?.entries() ?? []
  return {
    provider: 'http',
    url: url.replace(/\{\{\s*prompt\s*\}\}/g, '{{prompt}}'),
    method: verb,
    ...(entries.length === 0
      ? {}
      : {
          headers: Object.fromEntries(
            entries.map(([name, value]) => [name, safeSetting(name, value, variableFor('target', name), notes)]),
          ),
        }),
    ...(filled === undefined ? {} : { body: unknown ? dropTemplates(filled) : filled }),
    ...(path === undefined ? {} : { response: { text: path } }),
    used: HTTP_SETTINGS,
  }
}

/** The dot path of an expression that reads JSON: `json.choices[0].message.content`. */
function textPath(expression: string | undefined): string | undefined {
  const [, path] = /^json\??\.((?:[\w-]+|\[\d+\]|\??\.)+)$/.exec(expression?.trim() ?? '') ?? []
  return path?.replaceAll('?.', '.')
}

function dropTemplates(value: unknown): unknown {
  return mapStrings(value, text => text.replace(/\{\{(?!prompt\}\})[^}]*\}\}/g, ''))
}
