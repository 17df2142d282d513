import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { programFields } from './shared/program-fields.ts'

export const cli = defineProvider({
  type: 'cli',
  summary: 'Any program: the prompt goes in, what it prints is the answer.',
  config: z.strictObject({
    command: z
      .union([z.array(z.string().min(1)).min(1), z.string().min(1)])
      .describe(
        'Program and arguments, or a string for the shell. Placeholders: {PROMPT}, {PROMPT_FILE}, {MESSAGES_FILE}, {OUTPUT_FILE}, {FILES}, {TEST_ID}, {EVAL_ID}, {ATTEMPT}.',
      ),
    stdin: z.enum(['text', 'json']).optional().describe('What goes to stdin when no placeholder takes the prompt.'),
    output_format: z
      .enum(['text', 'json'])
      .optional()
      .describe('How the output is read. Default: JSON when it is our envelope.'),
    ...programFields,
  }),
  examples: [
    {
      title: 'A script that reads stdin',
      target: { name: 'default', provider: 'cli', command: ['node', 'agent.mjs'] },
    },
    { title: 'Through the shell', target: { name: 'default', provider: 'cli', command: 'my-agent --ask {PROMPT}' } },
  ],
})
