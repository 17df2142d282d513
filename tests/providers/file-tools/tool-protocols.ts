import type { ProviderName, RequestBody } from '../../support/servers/model-servers.ts'

/** The tool definitions in a request, for each service. */
export const OFFERED: Record<
  ProviderName,
  (sent: RequestBody) => { name: string; description: string; parameters: RequestBody }[]
> = {
  openai: ({ tools = [] }) => tools,
  azure: ({ tools = [] }) => tools,
  openai_compatible: ({ tools = [] }) => tools.map((tool: RequestBody) => tool.function),
  anthropic: ({ tools = [] }) =>
    tools.map(({ input_schema, ...tool }: RequestBody) => ({ ...tool, parameters: input_schema })),
  google: ({ tools = [] }) => tools.flatMap((tool: RequestBody) => tool.functionDeclarations),
}

/** The tool results in a request, with the ids of their calls if the protocol has them. */
export const RESULTS: Record<ProviderName, (sent: RequestBody) => (readonly [id: string, text: string])[]> = {
  openai: ({ input }) =>
    input
      .filter(({ type }: RequestBody) => type === 'function_call_output')
      .map(({ call_id, output }: RequestBody) => [call_id, output]),
  azure: sent => RESULTS.openai(sent),
  openai_compatible: ({ messages }) =>
    messages
      .filter(({ role }: RequestBody) => role === 'tool')
      .map(({ tool_call_id, content }: RequestBody) => [tool_call_id, content]),
  anthropic: ({ messages }) =>
    messages
      .flatMap(({ role, content }: RequestBody) => (role === 'user' ? content : []))
      .filter(({ type }: RequestBody) => type === 'tool_result')
      .map(({ tool_use_id, content }: RequestBody) => [tool_use_id, content]),
  google: ({ contents }) => {
    const parts = contents.flatMap(({ parts }: RequestBody) => parts)
    const ids = parts.flatMap(({ functionCall }: RequestBody) => functionCall?.id ?? [])
    return parts
      .flatMap(({ functionResponse }: RequestBody) => functionResponse ?? [])
      .map(({ id, response }: RequestBody) => [`c${ids.indexOf(id) + 1}`, response.content])
  },
}

/** The tool calls of the model in a later request. */
export const CALLS: Record<ProviderName, (sent: RequestBody) => unknown[]> = {
  openai: ({ input }) =>
    input
      .filter(({ type }: RequestBody) => type === 'function_call')
      .map(({ name, arguments: args }: RequestBody) => [name, JSON.parse(args)]),
  azure: sent => CALLS.openai(sent),
  openai_compatible: ({ messages }) =>
    messages
      .flatMap(({ tool_calls = [] }: RequestBody) => tool_calls)
      .map(({ function: called }: RequestBody) => [called.name, JSON.parse(called.arguments)]),
  anthropic: ({ messages }) =>
    messages
      .flatMap(({ content }: RequestBody) => content)
      .filter(({ type }: RequestBody) => type === 'tool_use')
      .map(({ name, input }: RequestBody) => [name, input]),
  google: ({ contents }) =>
    contents
      .flatMap(({ parts }: RequestBody) => parts)
      .flatMap(({ functionCall }: RequestBody) => (functionCall ? [[functionCall.name, functionCall.args]] : [])),
}

/** The reply schema in a request. */
export const SCHEMAS: Record<ProviderName, (sent: RequestBody) => unknown> = {
  openai: ({ text }) => text?.format?.schema,
  azure: ({ text }) => text?.format?.schema,
  openai_compatible: ({ response_format }) => response_format,
  anthropic: ({ output_config }) => output_config?.format?.schema,
  google: ({ generationConfig }) => generationConfig.responseSchema,
}

/** The tool choice in a request. Some services reject tools together with a schema and get only one of them. */
export const CHOICE: Record<ProviderName, { field: (sent: RequestBody) => unknown; on: unknown; off: unknown }> = {
  openai: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: 'none' },
  azure: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: 'none' },
  openai_compatible: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: undefined },
  anthropic: { field: ({ tool_choice }) => tool_choice, on: { type: 'auto' }, off: { type: 'none' } },
  google: { field: ({ toolConfig }) => toolConfig?.functionCallingConfig.mode, on: 'AUTO', off: undefined },
}
export const EITHER: readonly ProviderName[] = ['openai_compatible', 'google']
