import * as z from 'zod'
import { defineProvider } from './define-provider.ts'
import { type Agent, agentTraits, askAgent, flag } from './shared/agents/agent.ts'
import { CodexEvents } from './shared/agents/codex-events.ts'
import { modelFamily } from './shared/models/model-target.ts'
import { agentFields } from './shared/programs/program-fields.ts'

const config = z.strictObject({
  command: z.string().min(1).default('codex').describe('Program to run: a name on PATH, or a path.'),
  ...agentFields,
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
  answer: (config, prompt, context) => askAgent(codex, config, prompt, context),
  model: { family: ({ model = '' }) => modelFamily(model) ?? 'gpt' },
})

const codex: Agent<z.output<typeof config>> = {
  places: { variable: 'CODEX_HOME', usual: '.codex', credentials: ['auth.json'] },
  variables: /^(?:OPENAI|CODEX)_/,
  args: ({ model, permission_mode: mode }, { system, reply }) => [
    ...['exec', '--json', '--skip-git-repo-check', '--color', 'never'],
    ...flag('--model', model),
    ...(mode === 'bypass' ? ['--dangerously-bypass-approvals-and-sandbox'] : flag('--sandbox', mode)),
    ...flag('--config', system && `developer_instructions=${toTomlString(system)}`),
    ...flag('--output-schema', reply?.file),
  ],
  events: ({ model }, { max_turns }) => new CodexEvents(model, max_turns),
}

/** Formats a TOML string: JSON syntax, except that TOML requires DEL to be escaped. */
function toTomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
