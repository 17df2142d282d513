import * as z from '../lib/zod.ts'
import type { Issue } from '../model/issue.ts'
import { defineProvider } from './define-provider.ts'
import { type Agent, agentTraits, askAgent, flag } from './shared/agents/agent.ts'
import { CodexEvents } from './shared/agents/codex-events.ts'
import { type AgentServers, mcpFields } from './shared/agents/mcp-servers.ts'
import { modelFamily } from './shared/models/model-target.ts'
import { agentFields } from './shared/programs/program-fields.ts'

const config = () =>
  z.strictObject({
    command: z.string().min(1).default('codex').describe('Program to run: a name on PATH, or a path.'),
    ...agentFields(),
    ...mcpFields(),
    permission_mode: z
      .enum(['read-only', 'workspace-write', 'danger-full-access', 'bypass'])
      .optional()
      .describe('Sandbox mode of Codex. `bypass` turns off the sandbox and all approvals.'),
  })

export const codexCli = defineProvider({
  ...agentTraits,
  type: 'codex_cli',
  summary: 'Codex, run as a program.',
  config,
  examples: [
    {
      title: 'In a copy of a folder',
      target: {
        name: 'default',
        provider: 'codex_cli',
        workspace: 'fixtures/app',
        permission_mode: 'workspace-write',
      },
    },
  ],
  validate: {
    ...agentTraits.validate,
    target: config => [...agentTraits.validate.target(config), ...sharedConfigIssues(config)],
  },
  agentSettings: ['model', 'max_turns', 'env'],
  answer: (config, prompt, context) => askAgent(codex, config, prompt, context),
  model: { family: ({ model = '' }) => modelFamily(model) ?? 'gpt' },
})

/** Servers with secrets are written into the configuration of the agent, so it must not be that of the user. */
function sharedConfigIssues({ mcp_servers, config_dir = 'isolated' }: z.output<ReturnType<typeof config>>): Issue[] {
  if (!mcp_servers || config_dir === 'isolated') return []
  const message = '`mcp_servers` need an isolated configuration folder'
  return [{ code: 'bad-target', path: ['config_dir'], message, hint: 'remove `config_dir`, or set it to `isolated`' }]
}

const codex: Agent<z.output<ReturnType<typeof config>>> = {
  places: { variable: 'CODEX_HOME', usual: '.codex', credentials: ['auth.json'] },
  variables: /^(?:OPENAI|CODEX)_/,
  serversFile: { name: 'config.toml', text: servers => `${serverSettings(servers).join('\n')}\n` },
  args: ({ model, permission_mode: mode }, { system, reply, mcp }) => [
    ...['exec', '--json', '--skip-git-repo-check', '--color', 'never'],
    ...flag('--model', model),
    ...(mode === 'bypass' ? ['--dangerously-bypass-approvals-and-sandbox'] : flag('--sandbox', mode)),
    ...flag('--config', system && `developer_instructions=${toTomlString(system)}`),
    ...flag('--output-schema', reply?.file),
    // Mocked servers have no secrets.
    ...(mcp && mcp.file === undefined ? serverSettings(mcp).flatMap(setting => ['--config', setting]) : []),
  ],
  events: ({ model }, { max_turns }) => new CodexEvents(model, max_turns),
}

/** A mocked server is called without approval, and the agent begins when it is connected. */
const MOCKED = { default_tools_approval_mode: 'approve', required: true, startup_timeout_sec: 60 }

/** MCP servers as settings of Codex: `mcp_servers.orders.command="node"`. */
function serverSettings({ servers, mocked }: AgentServers): string[] {
  return Object.entries(servers).flatMap(([name, server]) => {
    const { headers, ...fields } = { headers: undefined, ...server }
    const settings = Object.entries({ ...fields, http_headers: headers, ...(mocked.includes(name) ? MOCKED : {}) })
    return settings.flatMap(([key, value]) =>
      value === undefined ? [] : [`mcp_servers.${name}.${key}=${toToml(value)}`],
    )
  })
}

function toToml(value: string | number | boolean | readonly string[] | Readonly<Record<string, string>>): string {
  if (typeof value === 'string') return toTomlString(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(toTomlString).join(', ')}]`
  return `{ ${Object.entries(value)
    .map(entry => entry.map(toTomlString).join(' = '))
    .join(', ')} }`
}

/** Formats a TOML string: JSON syntax, except that TOML requires DEL to be escaped. */
function toTomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
