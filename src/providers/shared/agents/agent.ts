import { join, resolve } from 'node:path'
import type { Answer, OutputMessage, ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { renderMessage, renderPrompt } from '../../../model/messages/prompt-text.ts'
import { pluginIssues } from '../../../model/plugin-issues.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext, Provider } from '../../../model/provider.ts'
import { describeMissingProgram } from '../programs/find-program.ts'
import { type AgentConfig, folderIssues, workingFolder, workspaceEnv } from '../programs/program-fields.ts'
import { prepareSandbox } from '../sandbox/sandbox.ts'
import {
  describeLackingSandbox,
  readableIssues,
  sandboxIssues,
  unavailableSandboxIssues,
} from '../sandbox/sandbox-issues.ts'
import type { AgentEvents } from './agent-events.ts'
import { type ConfigLocation, userFolder, withAgentHome } from './agent-home.ts'
import { filesOfPlugins, type PluginConfig, pluginAliases, pluginMounts } from './agent-plugins.ts'
import { withSettings } from './agent-settings.ts'
import { configFolder, knownSkills, skillIssues, tuningFields } from './agent-skills.ts'
import { type AgentServers, agentServers, type McpConfig, mcpIssues, withMcpFile } from './mcp-servers.ts'
import { resolveProgram, runAgent, warnIfShared } from './run-agent.ts'

export type Config = AgentConfig & McpConfig & PluginConfig & { readonly command: string }

/** The parts in which coding agents differ. */
export interface Agent<Fields extends Config> {
  readonly places: ConfigLocation
  /** Environment variables that it must not inherit. */
  readonly withoutVariables?: readonly string[]
  /** Environment variables that it needs to connect to MCP servers. */
  readonly serversEnv?: Readonly<Record<string, string>>
  /** The file of its configuration folder that has MCP servers; undefined if it is given a file instead. */
  readonly serversFile?: { readonly name: string; text(servers: AgentServers): string }
  /** Names of the variables that it inherits in a sandbox, besides those of every program. */
  readonly variables: RegExp
  /** The command-line arguments. The prompt itself is passed on stdin. */
  args(config: Fields, told: AgentInstructions): readonly string[]
  events(config: Fields, told: AgentInstructions): AgentEvents
}

/** What an agent is given besides its prompt. */
export interface AgentInstructions {
  readonly system: string | undefined
  readonly max_turns: number | undefined
  /** The JSON Schema of the reply, and a file that contains it. */
  readonly reply: { readonly schema: object; readonly file: string } | undefined
  /** Its MCP servers, and the file that contains them; undefined without servers. */
  readonly mcp: (AgentServers & { readonly file: string | undefined }) | undefined
  /** Absolute paths of folders that it may read and write besides its own. */
  readonly add_dirs: readonly string[]
}

/** The parts of a provider that all coding agents share. */
export const agentTraits = {
  execution: { workers: host => host.cores, isCacheable: () => false },
  files: {
    workspace: ({ workspace }) => workspace,
    commands: ({ setup, teardown }) => ({ setup, teardown }),
    folders: ({ skills = [] }) => skills,
    find: ({ plugins = [] }, home, host) =>
      filesOfPlugins(
        plugins.map(folder => resolve(home, folder)),
        host,
      ),
    paths: ({ command }, { home }) => (/[\\/]/.test(command) ? [resolveProgram(command, home)] : []),
  },
  validate: {
    target: ({ config_dir, skills, ...fields }) => [
      ...(skills && config_dir !== undefined ? configIssues(config_dir) : []),
      ...mcpIssues(fields),
      ...sandboxIssues({ ...fields, config_dir }),
    ],
    surroundings: async (config, home, host) => [
      ...(await folderIssues(config, home, host)),
      ...(await readableIssues(config, home, host)),
      ...(await skillIssues(config.skills ?? [], home, host)),
      ...(await pluginIssues(config.plugins ?? [], home, host)),
    ],
    suite: unavailableSandboxIssues,
    machine: async ({ command, ...started }, home, host) =>
      (await describeMissingProgram(resolveProgram(command, home), started, home, host)) ??
      describeLackingSandbox(started, host),
  },
  skills: knownSkills,
  tuning: { fieldsFor: tuningFields },
  serverAliases: (target, prompt, context) =>
    pluginAliases(withSettings(target, prompt, context).config.plugins, context),
  looks: true,
  mcp: true,
  implied: config => ({ config_dir: configFolder(config) }),
  about: ({ command, model }) => (model === undefined ? command : `${command} with ${model}`),
} satisfies Partial<Provider<Config>>

function configIssues(config_dir: string): readonly Issue[] {
  if (config_dir === 'isolated') return []
  const message = '`skills` need an isolated configuration folder'
  return [{ code: 'bad-target', path: ['config_dir'], message, hint: 'remove `config_dir`, or set it to `isolated`' }]
}

/** Runs an agent with the prompt on stdin, and reads its events from stdout. */
export function askAgent<Fields extends Config>(
  agent: Agent<Fields>,
  target: Fields,
  prompt: Prompt,
  context: AskContext,
) {
  const { config, add_dirs } = withSettings(target, prompt, context)
  const cwd = workingFolder(config, prompt, context)
  const servers = agentServers(config, prompt)
  // The settings of a test do not decide whether the agent is isolated.
  return withAgentServers(agent, servers, target, context, async (homeEnv, serversFile) => {
    const { system, text } = await toAgentPrompt(prompt, context.host)
    // One more turn than tool use, for the verdict.
    const max_turns = prompt.look ? prompt.look.max_steps + 1 : config.max_turns
    return withReplyFile(prompt, context, async reply => {
      const told = { system, max_turns, reply, mcp: servers && { ...servers, file: serversFile }, add_dirs }
      const file = resolveProgram(config.command, context.home)
      const command = [file, ...agent.args(config, told), ...(config.args ?? [])]
      const plugins = config.sandbox ? await pluginMounts(config.plugins ?? [], context.host) : NO_PLUGINS
      const without = Object.fromEntries((agent.withoutVariables ?? []).map(name => [name, undefined]))
      const program = {
        command,
        cwd,
        env: { ...workspaceEnv(prompt), ...without, ...(servers && agent.serversEnv), ...config.env, ...homeEnv },
        stdin: text,
        sandbox: await prepareSandbox(
          { ...config, command: [file, ...(config.args ?? [])], variables: agent.variables },
          prompt,
          context,
          {
            readable: [reply?.file ?? [], serversFile ?? [], ...plugins.readable].flat(),
            writable: [...Object.values(homeEnv), ...add_dirs],
            hidden: plugins.hidden,
          },
        ),
      }
      const run = async () => {
        const events = agent.events(config, told)
        // A judge is asked for its reply, not for what it does first.
        const stopAt = prompt.look || prompt.reply_schema ? undefined : config.stop_at
        const answer = await runAgent(program, events, context, stopAt)
        const folder = homeEnv[agent.places.variable] ?? userFolder(agent.places, context.host)
        if (!prompt.mcp || !events.refusedCalls || folder === undefined) return answer
        return withCalls(answer, await events.refusedCalls(folder, context.host))
      }
      // Workspaces are separate copies, and judges only read.
      return prompt.look || prompt.workspace ? run() : warnIfShared(cwd, context, run)
    })
  })
}

const NO_PLUGINS = { readable: [], hidden: [] }

/** Adds calls to a transcript, before its last message. */
function withCalls(answer: Answer, tool_calls: readonly ToolCall[]): Answer {
  if (tool_calls.length === 0) return answer
  const { output_messages = [] } = answer
  const added: OutputMessage = { role: 'assistant', tool_calls: [...tool_calls] }
  return { ...answer, output_messages: [...output_messages.slice(0, -1), added, ...output_messages.slice(-1)] }
}

/** Calls `run` with the variables of the agent's configuration, and the file that contains its MCP servers. */
function withAgentServers<Fields extends Config, Result>(
  { places, serversFile }: Agent<Fields>,
  servers: AgentServers | undefined,
  config: Fields,
  context: AskContext,
  run: (env: Readonly<Record<string, string>>, file: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (!servers || !serversFile)
    return withMcpFile(servers?.servers, context, file => withAgentHome(config, places, context, env => run(env, file)))
  // Isolated, unless the target says otherwise: the configuration of the user may have real servers.
  const { config_dir = 'isolated' } = config
  return withAgentHome({ ...config, config_dir }, places, context, async env => {
    const folder = config_dir === 'isolated' ? env[places.variable] : undefined
    const file = folder === undefined ? undefined : join(folder, serversFile.name)
    if (file !== undefined) await context.host.files.writeNew(file, serversFile.text(servers))
    return run(env, file)
  })
}

/** Calls `run` with a temporary file that contains the schema of the reply. */
async function withReplyFile<Result>(
  { reply_schema: schema }: Prompt,
  { host }: AskContext,
  run: (reply: AgentInstructions['reply']) => Promise<Result>,
): Promise<Result> {
  if (!schema) return run(undefined)
  const folder = await host.files.makeTemporaryFolder()
  try {
    const file = join(folder, 'reply.schema.json')
    await host.files.writeNew(file, JSON.stringify(schema))
    return await run({ schema, file })
  } finally {
    await host.files.remove(folder).catch(() => {})
  }
}

interface AgentPrompt {
  /** System messages, if any. */
  readonly system: string | undefined
  readonly text: string
}

/** Converts a prompt for an agent: system messages separately, everything else as one text. */
async function toAgentPrompt({ messages, system_prompt }: Prompt, host: Host): Promise<AgentPrompt> {
  const systems = await Promise.all(
    messages.filter(({ role }) => role === 'system').map(message => renderMessage(message, host, 'inlined')),
  )
  const others = messages.filter(({ role }) => role !== 'system')
  const system = [...(system_prompt === undefined ? [] : [system_prompt]), ...systems].join('\n\n')
  return {
    system: system === '' ? undefined : system,
    text: await renderPrompt({ messages: others, system_prompt: undefined }, host, 'inlined'),
  }
}

/** The arguments of a flag, if it has a value. */
export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)]
}
