import { z } from 'zod'
import { defineProvider } from './provider.ts'
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
  family: () => 'claude',
})
