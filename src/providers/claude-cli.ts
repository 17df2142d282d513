import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { missingProgram } from './shared/missing-program.ts'
import { agentFields } from './shared/program-fields.ts'

export const claudeCli = defineProvider({
  type: 'claude_cli',
  summary: 'Claude Code, as a program.',
  config: z.strictObject({
    command: z.string().min(1).default('claude').describe('The program.'),
    ...agentFields,
  }),
  examples: [
    { title: 'In a copy of a folder', target: { name: 'default', provider: 'claude_cli', workspace: 'fixtures/app' } },
  ],
  about: ({ command, model }) => (model === undefined ? command : `${command} with ${model}`),
  lacks: (config, home, host) => missingProgram(config.command, config, home, host),
  family: () => 'claude',
})
