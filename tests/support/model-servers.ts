import { afterAll } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from './evaluation.ts'
import { folderWith } from './program.ts'
import { type Behaviour, type Call, type Server, serve } from './server.ts'
import type { Recorded } from './suite-run.ts'

export const PROVIDERS = ['openai', 'azure', 'openai_compatible', 'anthropic', 'google'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** What a model says, in no protocol yet. Tokens of a cache and of reasoning are counted in those of input and output. */
export interface Said {
  readonly text?: string | readonly string[]
  readonly calls?: readonly Called[]
  readonly finish?: 'stop' | 'length' | 'content-filter'
  readonly usage?: { input: number; output: number; cached?: number; reasoning?: number }
}

/** A call of a tool; arguments that are a text stand there as they are, where a protocol has them as text. */
export interface Called {
  readonly id: string
  readonly tool: string
  readonly args: unknown
}

type Reply = (texts: readonly string[], said: Required<Pick<Said, 'finish' | 'calls'>> & Said) => object

const written = (args: unknown) => (typeof args === 'string' ? args : JSON.stringify(args))

const responses: Reply = (texts, { finish, usage, calls }) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'the-model-1',
  status: finish === 'stop' ? 'completed' : 'incomplete',
  incomplete_details:
    finish === 'stop' ? null : { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' },
  output: [
    ...texts.slice(0, 1).map(() => ({
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: texts.map(text => ({ type: 'output_text', text, annotations: [] })),
    })),
    ...calls.map(({ id, tool, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name: tool,
      arguments: written(args),
      status: 'completed',
    })),
  ],
  ...(usage && {
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    },
  }),
})

/** A reply of each protocol, of the shape that the service's own reference shows. */
const REPLIES: Readonly<Record<ProviderName, Reply>> = {
  openai: responses,
  azure: responses,
  openai_compatible: (texts, { finish, usage, calls }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'the-model-1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: texts.length > 0 ? texts.join('') : null,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, tool, args }) => ({
              id,
              type: 'function',
              function: { name: tool, arguments: written(args) },
            })),
          }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : finish.replace('-', '_'),
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens: usage.input,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
        completion_tokens: usage.output,
        completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      },
    }),
  }),
  anthropic: (texts, { finish, usage = { input: 1, output: 1 }, calls }) => ({
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    model: 'the-model-1',
    content: [
      ...texts.map(text => ({ type: 'text', text })),
      ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
    ],
    stop_reason:
      calls.length > 0 ? 'tool_use' : { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'refusal' }[finish],
    stop_sequence: null,
    usage: {
      input_tokens: usage.input - (usage.cached ?? 0),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached ?? 0,
      output_tokens: usage.output,
    },
  }),
  google: (texts, { finish, usage, calls }) => ({
    modelVersion: 'the-model-1',
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [
            ...texts.map(text => ({ text })),
            ...calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
          ],
        },
        finishReason: { stop: 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' }[finish],
      },
    ],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.input,
        cachedContentTokenCount: usage.cached ?? 0,
        candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
        thoughtsTokenCount: usage.reasoning ?? 0,
        totalTokenCount: usage.input + usage.output,
      },
    }),
  }),
}

/** A reply of a protocol, as JSON would hold it. */
export function replyOf(provider: ProviderName, said: Said = {}): object {
  const { calls = [], text = calls.length > 0 ? [] : 'ok', finish = 'stop' } = said
  return REPLIES[provider]([text].flat(), { ...said, calls, finish })
}

/** Answers with a status and a body: a text as it is, anything else as JSON. */
export const say =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** Answers as a model of a provider does. */
export const model = (provider: ProviderName, said: Said = {}): Behaviour => say(200, replyOf(provider, said))

/** Another answer to each call; the last one for all that follow. */
export const inTurn =
  (...answers: Behaviour[]): Behaviour =>
  (call, response) =>
    answers[Math.min(call.nth, answers.length) - 1]?.(call, response)

/** One test with a target of its own. */
export interface Case {
  readonly provider: ProviderName
  readonly input?: unknown
  /** Fields of the target besides those that it needs, for its URL; undefined takes one away. */
  readonly target?: object | ((url: string) => object)
  /** How the server answers; else as a model that says ok. */
  readonly answer?: Behaviour
  /** What the answer has to contain; else ok. */
  readonly contains?: string
}

export interface ModelRun {
  readonly folder: string
  readonly run: Evaluated
  /** The requests of one test, in the order in which they came. */
  calls(id: string): Call[]
  /** The path of the only request of a test, without what leads to its server; its headers and its body. */
  sent(id: string): { readonly path: string; readonly headers: Call['headers']; readonly body: Sent }
  record(id: string): Recorded | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any protocol
export type Sent = any

export const KEY = 'sk-KeyOfTheTest42'

const NEEDED: Readonly<Record<ProviderName, (url: string) => object>> = {
  openai: base_url => ({ base_url, model: 'gpt-4.1', api_key: KEY }),
  azure: endpoint => ({ endpoint, deployment: 'my-deployment', api_key: KEY }),
  openai_compatible: base_url => ({ base_url, model: 'llama3', api_key: KEY }),
  anthropic: base_url => ({ base_url, model: 'claude-sonnet-4-5', api_key: KEY }),
  google: base_url => ({ base_url, model: 'gemini-2.5-flash', api_key: KEY }),
}

/** The fields that a target of a provider needs, for a server at a URL. */
export function targetOf(provider: ProviderName, url: string): object {
  return { provider, ...NEEDED[provider](url) }
}

const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

/** Runs all cases at once with `assay eval`, each with a target whose base is a path of its own on one server. */
export async function ask(
  cases: Readonly<Record<string, Case>>,
  files: Record<string, string | Uint8Array> = {},
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<ModelRun> {
  const server = await serve((call, response) => {
    const { provider, answer } = cases[call.path.split('/')[1] ?? ''] ?? { provider: 'openai' }
    return (answer ?? model(provider))(call, response)
  })
  servers.push(server)
  const tests = Object.entries(cases).map(([id, { input = 'Hi', contains = 'ok' }]) => ({
    id,
    input,
    assert: [{ type: 'contains', value: contains }],
    execution: { target: id },
  }))
  const targets = Object.entries(cases).map(([name, { provider, target }]) => ({
    name,
    timeout_seconds: 60,
    ...targetOf(provider, `${server.url}/${name}`),
    ...(typeof target === 'function' ? target(`${server.url}/${name}`) : target),
  }))
  const folder = folderWith({
    'EVAL.yaml': suiteWith(tests),
    '.assay/targets.yaml': JSON.stringify({ targets }),
    ...files,
  })
  const run = await evaluate(folder, args, env)
  const calls = (id: string) => server.calls.filter(({ path }) => path.startsWith(`/${id}/`))
  return {
    folder,
    run,
    calls,
    sent: id => {
      const [call, ...others] = calls(id)
      if (!call || others.length > 0) throw new Error(`${calls(id).length} calls: ${run.stderr}`)
      return { path: call.path.slice(id.length + 1), headers: call.headers, body: JSON.parse(call.body) }
    },
    record: id => run.results.get(id),
  }
}
