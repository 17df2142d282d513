import { join } from 'node:path'
import { formatJson } from '../../lib/json/stringify.ts'
import { NOT_MOCKED } from '../../mocks/answer-call.ts'
import { DEFINITION_FILE, JOURNAL_FILE, MockHistory } from '../../mocks/journal.ts'
import { unmockedCalls } from '../../mocks/tool-names.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { McpAccess, ServerAliases } from '../../model/mcp-server.ts'
import type { MockServers } from '../../model/mock.ts'
import type { MockCall } from '../../model/mock-call.ts'
import type { Target } from '../../model/target.ts'
import type { Policy } from '../ask.ts'

type MockedTarget = Pick<Target, 'provider' | 'config' | 'home' | 'absent_servers'>

/** Gives each request mocked servers with a fresh state. Their calls and end states are in the answer. */
export function useMocks(servers: MockServers, target: MockedTarget, host: Host): Policy {
  return ask => async (prompt, stop) => {
    const { provider, config, home, absent_servers = [] } = target
    const aliases = (await provider.serverAliases?.(config, prompt, { home, host })) ?? {}
    const isAbsent = (name: string) => absent_servers.includes(name) && !Object.hasOwn(aliases, name)
    const offered = Object.fromEntries(Object.entries(servers).filter(([name]) => !isAbsent(name)))
    const folder = await prepareFolder(servers, host)
    try {
      const mcp = { ...mcpAccess(offered, folder, host), aliases }
      const answer = await ask({ ...prompt, mcp }, stop).catch(error => {
        if (error instanceof NoAnswer) return error
        throw error
      })
      const { calls, state } = await readHistory(servers, folder, host)
      const facts = { mock_calls: withRefused(calls, answer, { servers: offered, aliases }), state }
      const rejected = facts.mock_calls.find(call => call.rejected)
      if (rejected) throw rejectionError(rejected, answer, facts)
      if (answer instanceof NoAnswer) throw new NoAnswer(answer.code, answer.message, { ...answer, ...facts })
      return { ...answer, ...facts }
    } finally {
      // A folder that cannot be removed now is removed when the process exits.
      await host.files.remove(folder).catch(() => {})
    }
  }
}

async function prepareFolder(servers: MockServers, host: Host): Promise<string> {
  try {
    const [, program] = host.processes.ownProgram('mock-server')
    if (!(await host.files.stat(program))) throw new Error(`${program} does not exist; build it with \`npm run build\``)
    const folder = await host.files.makeTemporaryFolder()
    await host.files.writeNew(join(folder, DEFINITION_FILE), JSON.stringify(servers))
    return folder
  } catch (error) {
    throw new NoAnswer('bad-mocks', `cannot prepare the mocked servers: ${(error as Error).message}`)
  }
}

function mcpAccess(servers: MockServers, folder: string, host: Host): McpAccess {
  const [command, program] = host.processes.ownProgram('mock-server')
  const entries = Object.keys(servers).map(name => [name, { command, args: [program, folder, name] }])
  return { servers: Object.fromEntries(entries), readable: [command, program], writable: [folder] }
}

async function readHistory(servers: MockServers, folder: string, host: Host): Promise<MockHistory> {
  const history = new MockHistory(servers)
  const path = join(folder, JOURNAL_FILE)
  if (await host.files.stat(path)) for await (const { text } of host.files.readLines(path)) history.add(text)
  return history
}

/** The calls with those that the agent refused itself, because no server has the tool. */
function withRefused(
  calls: readonly MockCall[],
  answer: Answer | NoAnswer,
  { servers, aliases }: { readonly servers: MockServers; readonly aliases: ServerAliases },
): MockCall[] {
  const messages = answer instanceof NoAnswer ? [] : (answer.output_messages ?? [])
  const isKnown = ({ server, tool }: MockCall) =>
    calls.some(call => call.rejected && call.server === server && call.tool === tool)
  return [...calls, ...unmockedCalls(messages, servers, aliases).filter(call => !isKnown(call))]
}

function rejectionError(
  { server, tool, input, error }: MockCall,
  answer: Answer | NoAnswer,
  facts: Pick<Answer, 'mock_calls' | 'state'>,
): NoAnswer {
  const call = `${server}.${tool}${input === undefined ? '' : ` with ${formatJson(input, 500)}`}`
  const isMocked = error !== NOT_MOCKED
  const problem = isMocked
    ? `the agent called ${call}, which the mock does not allow: ${error}; allow these arguments in \`mocks\`, or correct the agent`
    : `the agent called ${call}, which is not mocked; add the tool to \`mocks\`, or correct the agent`
  const { workspace_path } = answer
  return new NoAnswer(isMocked ? 'bad-mock-call' : 'unmocked-call', problem, { workspace_path, ...facts })
}
