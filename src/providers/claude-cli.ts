import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { shownServer } from '../model/mcp-server.ts'
import { defineProvider } from './define-provider.ts'
import { type Agent, agentTraits, askAgent, flag } from './shared/agents/agent.ts'
import { pluginFields } from './shared/agents/agent-plugins.ts'
import { ClaudeEvents } from './shared/agents/claude-events.ts'
import { type AgentServers, mcpFields } from './shared/agents/mcp-servers.ts'
import { agentFields } from './shared/programs/program-fields.ts'

const toolList = lazily(() => z.array(z.string().min(1)).optional())

const config = () =>
  z.strictObject({
    command: z.string().min(1).default('claude').describe('Program to run: a name on PATH, or a path.'),
    ...agentFields(),
    ...pluginFields(),
    ...mcpFields(),
    allowed_tools: toolList().describe(
      'Tools that the agent may use without asking, such as `Read` or `Bash(git status:*)`.',
    ),
    disallowed_tools: toolList().describe('Tools that the agent must not use.'),
    config_dir: agentFields().config_dir.describe(
      'Configuration folder of the agent: `isolated`, `user`, or a path. Default: `isolated` with `skills`, `plugins` or `sandbox`, otherwise `user`.',
    ),
    permission_mode: agentFields().permission_mode.describe(
      'Permission mode of Claude Code, such as `acceptEdits`, `bypassPermissions` or `plan`.',
    ),
  })

export const claudeCli = defineProvider({
  ...agentTraits,
  type: 'claude_cli',
  summary: 'Claude Code, run as a program.',
  config,
  examples: [
    { title: 'In a copy of a folder', target: { name: 'default', provider: 'claude_cli', workspace: 'fixtures/app' } },
    {
      title: 'With a skill, to see whether it is used',
      target: {
        name: 'default',
        provider: 'claude_cli',
        model: 'claude-sonnet-4-5',
        max_turns: 1,
        skills: ['skills/csv-report'],
      },
    },
    {
      title: 'With a plugin, in an empty repository',
      target: {
        name: 'default',
        provider: 'claude_cli',
        plugins: ['plugins/data'],
        workspace: 'empty',
        permission_mode: 'dontAsk',
        allowed_tools: ['Read', 'Write'],
      },
    },
    {
      title: 'In a sandbox',
      target: {
        name: 'default',
        provider: 'claude_cli',
        workspace: 'fixtures/app',
        sandbox: true,
        network: true,
      },
    },
  ],
  agentSettings: ['model', 'max_turns', 'allowed_tools', 'disallowed_tools', 'plugins', 'add_dirs', 'env'],
  answer: (config, prompt, context) => askAgent(claude, config, prompt, context),
  model: { family: () => 'claude' },
})

const claude: Agent<z.output<ReturnType<typeof config>>> = {
  places: { variable: 'CLAUDE_CONFIG_DIR', usual: '.claude', credentials: ['.credentials.json'] },
  // Set inside Claude Code, which refuses to start a second time while it is present.
  withoutVariables: ['CLAUDECODE'],
  variables: /^(?:ANTHROPIC|CLAUDE)_/,
  // Otherwise the agent begins before it is connected, and does not know the tools.
  serversEnv: { MCP_CONNECTION_NONBLOCKING: '0' },
  args: ({ model, permission_mode, plugins = [], ...tools }, { system, max_turns, reply, mcp, add_dirs }) => [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...flag('--model', model),
    ...flag('--max-turns', max_turns),
    ...flag('--permission-mode', permission_mode),
    ...flag('--append-system-prompt', system),
    ...flag('--json-schema', reply && JSON.stringify(reply.schema)),
    ...(mcp ? ['--mcp-config', String(mcp.file)] : []),
    // Leaves out the servers of plugins too, which are real.
    ...(mcp && (mcp.hasMocks || plugins.length === 0) ? ['--strict-mcp-config'] : []),
    // Without a user, calls that need permission are denied.
    ...flag('--allowedTools', listed([...mockedTools(mcp), ...(tools.allowed_tools ?? [])])),
    ...flag('--disallowedTools', listed(tools.disallowed_tools)),
    ...plugins.flatMap(folder => ['--plugin-dir', folder]),
    ...add_dirs.flatMap(folder => ['--add-dir', folder]),
  ],
  events: () => new ClaudeEvents(),
}

function mockedTools(servers: AgentServers | undefined): string[] {
  return servers?.mocked.map(name => `mcp__${shownServer(name)}`) ?? []
}

/** Tools in one argument: after a flag with several, an argument of the target would be taken for another one. */
function listed(tools: readonly string[] = []): string | undefined {
  return tools.length === 0 ? undefined : tools.join(',')
}
