import * as z from 'zod'
import { defineProvider } from './define-provider.ts'
import { type Agent, agentTraits, askAgent, flag } from './shared/agents/agent.ts'
import { ClaudeEvents } from './shared/agents/claude-events.ts'
import { mcpFields } from './shared/agents/mcp-servers.ts'
import { agentFields } from './shared/programs/program-fields.ts'

const config = z.strictObject({
  command: z.string().min(1).default('claude').describe('Program to run: a name on PATH, or a path.'),
  ...agentFields,
  ...mcpFields,
  permission_mode: agentFields.permission_mode.describe(
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
  ],
  answer: (config, prompt, context) => askAgent(claude, config, prompt, context),
  model: { family: () => 'claude' },
})

const claude: Agent<z.output<typeof config>> = {
  places: { variable: 'CLAUDE_CONFIG_DIR', usual: '.claude', credentials: ['.credentials.json'] },
  // Set inside Claude Code, which refuses to start a second time while it is present.
  withoutVariables: ['CLAUDECODE'],
  // Otherwise the agent begins before it is connected, and does not know the tools.
  serversEnv: { MCP_CONNECTION_NONBLOCKING: '0' },
  args: ({ model, permission_mode }, { system, max_turns, reply, mcp }) => [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...flag('--model', model),
    ...flag('--max-turns', max_turns),
    ...flag('--permission-mode', permission_mode),
    ...flag('--append-system-prompt', system),
    ...flag('--json-schema', reply && JSON.stringify(reply.schema)),
    ...(mcp ? ['--mcp-config', String(mcp.file), '--strict-mcp-config'] : []),
    // Without a user, calls that need permission are denied.
    ...flag('--allowedTools', mcp?.mocked.map(name => `mcp__${name}`).join(',') || undefined),
  ],
  events: () => new ClaudeEvents(),
}
