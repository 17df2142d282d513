import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { parseJson } from '../../../lib/json/parse-json.ts'
import * as z from '../../../lib/zod.ts'
import type { ToolCall } from '../../../model/answer.ts'
import type { Look } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import type { ModelRequest, ModelTools } from '../models/model-steps.ts'
import { type FileTool, fileTools, ToolBudget } from './file-tools.ts'

/** Gives a model tools to read a folder, for a limited number of steps; then it must answer. */
export function modelFileTools(
  { folder, max_steps }: Look,
  schemaWithTools: boolean,
  context: Pick<AskContext, 'host' | 'signal'>,
): ModelTools {
  const budget = new ToolBudget(max_steps)
  const tools: Readonly<Record<string, FileTool>> = fileTools(folder, budget, context)
  const offered = Object.entries(tools).map(describeTool)
  const begin = (request: ModelRequest): ModelRequest => {
    budget.next()
    if (schemaWithTools) return { ...request, tools: offered, toolChoice: { type: budget.isUsedUp ? 'none' : 'auto' } }
    if (budget.isUsedUp) return request
    const { responseFormat, ...rest } = request
    return { ...rest, tools: offered, toolChoice: { type: 'auto' } }
  }
  return { maxReplies: max_steps + 1, begin, call: (call, how) => callTool(tools, call, how) }
}

/** Describes a tool to a model. */
function describeTool([name, { description, inputSchema }]: [string, FileTool]): LanguageModelV3FunctionTool {
  const schema = z.toJSONSchema(inputSchema, { target: 'draft-7', io: 'input' }) as object
  return { type: 'function', name, description, inputSchema: { ...schema, additionalProperties: false } }
}

async function callTool(
  tools: Readonly<Record<string, FileTool>>,
  { toolName, input: written }: Parameters<ModelTools['call']>[0],
  how: Parameters<ModelTools['call']>[1],
): Promise<ToolCall> {
  const input = written.trim() === '' ? {} : (parseJson(written) ?? written)
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
  if (!tool) {
    const names = Object.keys(tools).join(', ')
    return { tool: toolName, input, error: `unavailable tool '${toolName}': the tools are ${names}` }
  }
  const checked = tool.inputSchema.safeParse(input)
  if (!checked.success)
    return { tool: toolName, input, error: `Invalid input for tool ${toolName}: ${describeProblems(checked.error)}` }
  const call = { tool: toolName, input: checked.data }
  return how === 'execute' ? { ...call, output: await tool.execute(checked.data as never) } : call
}

function describeProblems({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
}
