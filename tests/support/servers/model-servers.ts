import { afterAll } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from '../evaluation.ts'
import { folderWith } from '../program.ts'
import type { Recorded } from '../suite-run.ts'
import { type Behaviour, type Call, type Server, serve } from './server.ts'

export const PROVIDERS = ['openai', 'azure', 'openai_compatible', 'anthropic', 'google'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** A reply of a model, independent of the protocol. Input includes cached tokens, output includes reasoning tokens. */
export interface ModelReply {
  readonly text?: string | readonly string[]
  readonly calls?: readonly ToolCall[]
  readonly finish?: 'stop' | 'length' | 'content-filter'
  readonly usage?: { input: number; output: number; cached?: number; reasoning?: number }
}

/** A tool call; string arguments are sent unchanged in protocols that have them as text. */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly args: unknown
}

type ReplyFormat = (
  texts: readonly string[],
  reply: Required<Pick<ModelReply, 'finish' | 'calls'>> & ModelReply,
) => object

const argumentText = (args: unknown) => (typeof args === 'string' ? args : JSON.stringify(args))

const responses: ReplyFormat = (texts, { finish, usage, calls }) => ({
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
      arguments: argumentText(args),
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

/** The reply format of each protocol, as in the reference of the service. */
const REPLIES: Readonly<Record<ProviderName, ReplyFormat>> = {
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
              function: { name: tool, arguments: argumentText(args) },
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

/** A reply in the protocol of a provider. */
export function replyOf(provider: ProviderName, reply: ModelReply = {}): object {
  const { calls = [], text = calls.length > 0 ? [] : 'ok', finish = 'stop' } = reply
  return REPLIES[provider]([text].flat(), { ...reply, calls, finish })
}

/** Answers with a status and a body: a string unchanged, other values as JSON. */
export const say =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** Answers as a model of a provider. */
export const model = (provider: ProviderName, reply: ModelReply = {}): Behaviour => say(200, replyOf(provider, reply))

/** A different answer to each call; the last is repeated. */
export const inTurn =
  (...answers: Behaviour[]): Behaviour =>
  (call, response) =>
    answers[Math.min(call.nth, answers.length) - 1]?.(call, response)

/** A test with its own target. */
export interface Case {
  readonly provider: ProviderName
  readonly input?: unknown
  /** Further fields of the target, or a function of its URL; undefined removes a field. */
  readonly target?: object | ((url: string) => object)
  /** The behaviour of the server; by default the reply `ok`. */
  readonly answer?: Behaviour
  /** The text that the answer must contain; by default `ok`. */
  readonly contains?: string
}

export interface ModelRun {
  readonly folder: string
  readonly run: Evaluated
  /** The requests of one test, in order. */
  calls(id: string): Call[]
  /** Path (without the prefix of the test), headers and body of the only request of a test. */
  sent(id: string): { readonly path: string; readonly headers: Call['headers']; readonly body: RequestBody }
  record(id: string): Recorded | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any protocol
export type RequestBody = any

export const KEY = 'sk-KeyOfTheTest42'

const REQUIRED_FIELDS: Readonly<Record<ProviderName, (url: string) => object>> = {
  openai: base_url => ({ base_url, model: 'gpt-4.1', api_key: KEY }),
  azure: endpoint => ({ endpoint, deployment: 'my-deployment', api_key: KEY }),
  openai_compatible: base_url => ({ base_url, model: 'llama3', api_key: KEY }),
  anthropic: base_url => ({ base_url, model: 'claude-sonnet-4-5', api_key: KEY }),
  google: base_url => ({ base_url, model: 'gemini-2.5-flash', api_key: KEY }),
}

/** A target with the required fields of a provider, for a server at a URL. */
export function targetOf(provider: ProviderName, url: string): object {
  return { provider, ...REQUIRED_FIELDS[provider](url) }
}

const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

/** Runs all cases in one `assay eval`, each with a target under its own path on one server. */
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
