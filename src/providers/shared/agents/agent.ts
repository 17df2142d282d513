import { join } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { renderMessage, renderPrompt } from '../../../model/messages/prompt-text.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext, Provider } from '../../../model/provider.ts'
import { describeMissingProgram } from '../programs/find-program.ts'
import { type AgentConfig, folderIssues, workingFolder, workspaceEnv } from '../programs/program-fields.ts'
import type { AgentEvents } from './agent-events.ts'
import { type ConfigLocation, skillIssues, withAgentHome } from './agent-home.ts'
import { resolveProgram, runAgent, warnIfShared } from './run-agent.ts'

type Config = AgentConfig & { readonly command: string }

/** What tells one agent from another. */
export interface Agent<Fields extends Config> {
  readonly places: ConfigLocation
  /** Variables that it must not inherit. */
  readonly withoutVariables?: readonly string[]
  /** Its arguments; `system` is what it is told apart from the prompt, which comes on stdin. */
  args(config: Fields, told: AgentInstructions): readonly string[]
  events(config: Fields, told: AgentInstructions): AgentEvents
}

/** What an agent is told besides its prompt. */
export interface AgentInstructions {
  readonly system: string | undefined
  readonly max_turns: number | undefined
  /** The JSON Schema of the reply, and a file that holds it. */
  readonly reply: { readonly schema: object; readonly file: string } | undefined
}

/** What coding agents that run as programs have in common. */
export const agentTraits = {
  execution: { workers: host => host.cores, isCacheable: () => false },
  files: {
    workspace: ({ workspace }) => workspace,
    folders: ({ skills = [] }) => skills,
    paths: ({ command }, { home }) => (/[\\/]/.test(command) ? [resolveProgram(command, home)] : []),
  },
  validate: {
    target: ({ config_dir, skills }) => (skills && config_dir !== undefined ? configIssues(config_dir) : []),
    surroundings: async (config, home, host) => [
      ...(await folderIssues(config, home, host)),
      ...(await skillIssues(config.skills ?? [], home, host)),
    ],
    machine: ({ command, ...started }, home, host) =>
      describeMissingProgram(resolveProgram(command, home), started, home, host),
  },
  looks: true,
  about: ({ command, model }) => (model === undefined ? command : `${command} with ${model}`),
} satisfies Partial<Provider<Config>>

function configIssues(config_dir: string): readonly Issue[] {
  if (config_dir === 'isolated') return []
  const message = '`skills` are put into a configuration of their own, not into one that is there'
  return [{ code: 'bad-target', path: ['config_dir'], message, hint: 'remove `config_dir`, or say `isolated`' }]
}

/** Asks an agent: the prompt on stdin, its events from stdout. */
export function askAgent<Fields extends Config>(
  agent: Agent<Fields>,
  config: Fields,
  prompt: Prompt,
  context: AskContext,
) {
  const cwd = workingFolder(config, prompt, context)
  return withAgentHome(config, agent.places, context, async homeEnv => {
    const { system, text } = await toAgentPrompt(prompt, context.host)
    // One more than it may look, to decide.
    const max_turns = prompt.look ? prompt.look.max_steps + 1 : config.max_turns
    return withReplyFile(prompt, context, reply => {
      const told = { system, max_turns, reply }
      const command = [
        resolveProgram(config.command, context.home),
        ...agent.args(config, told),
        ...(config.args ?? []),
      ]
      const without = Object.fromEntries((agent.withoutVariables ?? []).map(name => [name, undefined]))
      const program = {
        command,
        cwd,
        env: { ...workspaceEnv(prompt), ...without, ...config.env, ...homeEnv },
        stdin: text,
      }
      const run = () => runAgent(program, agent.events(config, told), context)
      // A copy is nobody else's, and those who only look do not disturb each other.
      return prompt.look || prompt.workspace ? run() : warnIfShared(cwd, context, run)
    })
  })
}

/** Writes the schema of a reply where an agent can read it, for as long as it is needed. */
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
  /** What the agent is told apart from the rest, where there is something. */
  readonly system: string | undefined
  readonly text: string
}

/** A prompt for an agent: system messages go their own way, all else is text. */
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

/** An option of a program, where it has a value. */
export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)]
}
