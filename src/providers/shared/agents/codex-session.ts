import { parseJson } from '../../../lib/json/parse-json.ts'
import { isMapping } from '../../../lib/objects.ts'
import type { ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import { type Event, stringField } from './agent-events.ts'

/** The calls to tools of MCP servers that Codex refused. Its events do not have them; the file of its session has. */
export async function refusedCalls(folder: string, thread: string, host: Host): Promise<readonly ToolCall[]> {
  if (!/^[\w-]+$/.test(thread)) return []
  const [file] = await host.files.glob([`sessions/**/*${thread}.jsonl`], { cwd: folder })
  if (file === undefined) return []
  const begun = new Map<unknown, ToolCall>()
  const refused: ToolCall[] = []
  for await (const { text } of host.files.readLines(file)) {
    const { payload } = (parseJson(text) ?? {}) as { payload?: unknown }
    if (!isMapping(payload)) continue
    const { type, call_id, output } = payload
    if (type === 'function_call') begun.set(call_id, toolCall(payload))
    const call = type === 'function_call_output' ? begun.get(call_id) : undefined
    if (call?.tool.startsWith('mcp__') && typeof output === 'string' && output.startsWith('unsupported call'))
      refused.push({ ...call, error: output })
  }
  return refused
}

/** Codex has the tools of a server in a namespace, `mcp__<server>`. */
function toolCall(payload: Event): ToolCall {
  const [name = '', namespace] = ['name', 'namespace'].map(key => stringField(payload, key))
  const input = parseJson(stringField(payload, 'arguments') ?? '')
  return { tool: namespace === undefined ? name : `${namespace}__${name}`, raw_tool: name, input }
}
