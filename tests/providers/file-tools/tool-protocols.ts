import type { ProviderName, Sent } from '../../support/model-servers.ts'

/** The tool definitions in a request, for each service. */
export const OFFERED: Record<ProviderName, (sent: Sent) => { name: string; description: string; parameters: Sent }[]> =
  {
    openai: ({ tools = [] }) => tools,
    azure: ({ tools = [] }) => tools,
    openai_compatible: ({ tools = [] }) => tools.map((tool: Sent) => tool.function),
    anthropic: ({ tools = [] }) =>
      tools.map(({ input_schema, ...tool }: Sent) => ({ ...tool, parameters: input_schema })),
    google: ({ tools = [] }) => tools.flatMap((tool: Sent) => tool.functionDeclarations),
  }

/** The tool results in a request, with the ids of their calls if the protocol has them. */
export const RESULTS: Record<ProviderName, (sent: Sent) => (readonly [id: string, text: string])[]> = {
  openai: ({ input }) =>
    input
      .filter(({ type }: Sent) => type === 'function_call_output')
      .map(({ call_id, output }: Sent) => [call_id, output]),
  azure: sent => RESULTS.openai(sent),
  openai_compatible: ({ messages }) =>
    messages
      .filter(({ role }: Sent) => role === 'tool')
      .map(({ tool_call_id, content }: Sent) => [tool_call_id, content]),
  anthropic: ({ messages }) =>
    messages
      .flatMap(({ role, content }: Sent) => (role === 'user' ? content : []))
      .filter(({ type }: Sent) => type === 'tool_result')
      .map(({ tool_use_id, content }: Sent) => [tool_use_id, content]),
  google: ({ contents }) => {
    const parts = contents.flatMap(({ parts }: Sent) => parts)
    const ids = parts.flatMap(({ functionCall }: Sent) => functionCall?.id ?? [])
    return parts
      .flatMap(({ functionResponse }: Sent) => functionResponse ?? [])
      .map(({ id, response }: Sent) => [`c${ids.indexOf(id) + 1}`, response.content])
  },
}

/** The tool calls of the model in a later request. */
export const CALLS: Record<ProviderName, (sent: Sent) => unknown[]> = {
  openai: ({ input }) =>
    input
      .filter(({ type }: Sent) => type === 'function_call')
      .map(({ name, arguments: args }: Sent) => [name, JSON.parse(args)]),
  azure: sent => CALLS.openai(sent),
  openai_compatible: ({ messages }) =>
    messages
      .flatMap(({ tool_calls = [] }: Sent) => tool_calls)
      .map(({ function: called }: Sent) => [called.name, JSON.parse(called.arguments)]),
  anthropic: ({ messages }) =>
    messages
      .flatMap(({ content }: Sent) => content)
      .filter(({ type }: Sent) => type === 'tool_use')
      .map(({ name, input }: Sent) => [name, input]),
  google: ({ contents }) =>
    contents
      .flatMap(({ parts }: Sent) => parts)
      .flatMap(({ functionCall }: Sent) => (functionCall ? [[functionCall.name, functionCall.args]] : [])),
}

/** The reply schema in a request. */
export const SCHEMAS: Record<ProviderName, (sent: Sent) => unknown> = {
  openai: ({ text }) => text?.format?.schema,
  azure: ({ text }) => text?.format?.schema,
  openai_compatible: ({ response_format }) => response_format,
  anthropic: ({ output_config }) => output_config?.format?.schema,
  google: ({ generationConfig }) => generationConfig.responseSchema,
}

/** The tool choice in a request. Some services reject tools together with a schema and get only one of them. */
export const CHOICE: Record<ProviderName, { field: (sent: Sent) => unknown; on: unknown; off: unknown }> = {
  openai: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: 'none' },
  azure: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: 'none' },
  openai_compatible: { field: ({ tool_choice }) => tool_choice, on: 'auto', off: undefined },
  anthropic: { field: ({ tool_choice }) => tool_choice, on: { type: 'auto' }, off: { type: 'none' } },
  google: { field: ({ toolConfig }) => toolConfig?.functionCallingConfig.mode, on: 'AUTO', off: undefined },
}
export const EITHER: readonly ProviderName[] = ['openai_compatible', 'google']
