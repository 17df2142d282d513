import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { ToolCall } from '../../../model/answer.ts'

export type ModelRequest = LanguageModelV3CallOptions

/** A reply of a model, with the results of its tool calls. */
export interface ModelStep {
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
  readonly reply: LanguageModelV3GenerateResult
}

/** The tools of a model. */
export interface ModelTools {
  /** The maximum number of replies. */
  readonly maxReplies: number
  /** Begins a step: returns the request with the tools that may be used in it. */
  begin(request: ModelRequest): ModelRequest
  /** Makes a call, unless it is invalid. With `dry-run` it is only validated, and has no result. */
  call(call: LanguageModelV3ToolCall, how: 'execute' | 'dry-run'): Promise<ToolCall>
}

/** Asks a model, and asks again with the results of its tool calls until it makes none, or has no replies left. */
export async function takeSteps(
  model: LanguageModelV3,
  request: ModelRequest,
  tools: ModelTools | undefined,
): Promise<readonly [ModelStep, ...ModelStep[]]> {
  const first = await takeStep(model, request, tools)
  const steps: [ModelStep, ...ModelStep[]] = [first]
  let { prompt } = request
  for (let step = first; tools && isAnsweredByTools(step) && steps.length < tools.maxReplies; ) {
    request.abortSignal?.throwIfAborted()
    prompt = [...prompt, ...toMessages(step)]
    step = await takeStep(model, { ...request, prompt }, tools)
    steps.push(step)
  }
  return steps
}

async function takeStep(
  model: LanguageModelV3,
  request: ModelRequest,
  tools: ModelTools | undefined,
): Promise<ModelStep> {
  const reply = await model.doGenerate(tools ? tools.begin(request) : request)
  const how = EXECUTABLE.has(reply.finishReason.unified) ? 'execute' : 'dry-run'
  const tool_calls = tools ? await Promise.all(callsIn(reply.content).map(call => tools.call(call, how))) : []
  const text = reply.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  return { text, tool_calls, reply }
}

/** Calls in a reply that was cut off may be incomplete. */
const EXECUTABLE: ReadonlySet<string> = new Set(['stop', 'tool-calls'])

function callsIn(content: readonly LanguageModelV3Content[]): LanguageModelV3ToolCall[] {
  return content.filter(part => part.type === 'tool-call')
}

/** Whether a step has calls, and each of them has a result. */
function isAnsweredByTools({ tool_calls }: ModelStep): boolean {
  return tool_calls.length > 0 && tool_calls.every(call => resultOf(call) !== undefined)
}

function resultOf({ output, error }: ToolCall): LanguageModelV3ToolResultPart['output'] | undefined {
  if (error !== undefined) return { type: 'error-text', value: error }
  return typeof output === 'string' ? { type: 'text', value: output } : undefined
}

/** The messages of a step for the next request: what the model said and called, and the results. */
function toMessages({ reply: { content }, tool_calls }: ModelStep): LanguageModelV3Message[] {
  const calls = callsIn(content)
  const said = content.flatMap((part): AssistantPart[] => {
    const options = providerOptions(part)
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }]
    if (part.type === 'reasoning') return [{ type: 'reasoning', text: part.text, ...options }]
    if (part.type === 'file') return [{ type: 'file', data: part.data, mediaType: part.mediaType, ...options }]
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName } = part
    const input = tool_calls[calls.indexOf(part)]?.input
    // Arguments that are not JSON cannot be sent back.
    return [{ type: 'tool-call', toolCallId, toolName, input: typeof input === 'object' ? input : {}, ...options }]
  })
  const results = calls.flatMap((part, index): LanguageModelV3ToolResultPart[] => {
    const { toolCallId, toolName } = part
    const output = resultOf(tool_calls[index] as ToolCall)
    return output ? [{ type: 'tool-result', toolCallId, toolName, output, ...providerOptions(part) }] : []
  })
  return [
    { role: 'assistant', content: said },
    { role: 'tool', content: results },
  ]
}

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]

/** What the service needs back with a part, such as the signature of its reasoning. */
function providerOptions(part: object): { providerOptions?: SharedV3ProviderMetadata } {
  const { providerMetadata } = part as { readonly providerMetadata?: SharedV3ProviderMetadata }
  return providerMetadata ? { providerOptions: providerMetadata } : {}
}
