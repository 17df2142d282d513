import { nodeHost } from '../../../src/host/node.ts'
import type { Host } from '../../../src/model/host.ts'
import { fileTools, ToolBudget } from '../../../src/providers/shared/file-tools/file-tools.ts'

type Input = Record<string, unknown>

/** The file tools of agent judges, with steps left. */
export function fileToolsIn(folder: string, world: Partial<Host> = {}, signal = new AbortController().signal) {
  const budget = new ToolBudget(3)
  budget.next()
  const tools = fileTools(folder, budget, { host: { ...nodeHost(), ...world }, signal })
  const call = (tool: 'list' | 'read' | 'search', input: Input = {}): Promise<string> => {
    const { inputSchema, execute } = tools[tool]
    return execute(inputSchema.parse(input) as never)
  }
  return {
    list: (path?: string) => call('list', path === undefined ? {} : { path }),
    read: (path: string, more: Input = {}) => call('read', { path, ...more }),
    search: (query: string, more: Input = {}) => call('search', { query, ...more }),
  }
}
