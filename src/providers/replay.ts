import { z } from 'zod'
import { defineProvider } from './provider.ts'

export const replay = defineProvider({
  type: 'replay',
  summary: 'Answers from the records of an earlier run, or from a folder of logs.',
  config: z.strictObject({
    from: z.string().min(1).describe('A run (its id, `latest`, or its folder), or a `.co/evals` folder.'),
  }),
  examples: [{ title: 'The last run again', target: { name: 'default', provider: 'replay', from: 'latest' } }],
})
