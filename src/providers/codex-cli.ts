import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { missingProgram } from './shared/missing-program.ts'
import { modelFamily } from './shared/model-family.ts'
import { agentFields } from './shared/program-fields.ts'

export const codexCli = defineProvider({
  type: 'codex_cli',
  summary: 'Codex, as a program.',
  config: z.strictObject({
    command: z.string().min(1).default('codex').describe('The program.'),
    ...agentFields,
  }),
  examples: [
    { title: 'In a copy of a folder', target: { name: 'default', provider: 'codex_cli', workspace: 'fixtures/app' } },
  ],
  about: ({ command, model }) => (model === undefined ? command : `${command} with ${model}`),
  lacks: (config, home, host) => missingProgram(config.command, config, home, host),
  family: ({ model = '' }) => modelFamily(model) ?? 'gpt',
})
