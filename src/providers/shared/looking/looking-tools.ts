import * as z from 'zod'
import type { AskContext } from '../../../model/provider.ts'
import { CannotLook } from './look-inside.ts'
import { listFolder } from './look-list.ts'
import { readText } from './look-read.ts'
import { searchFiles } from './look-search.ts'
import type { Looks } from './looks.ts'

const path = z.string().describe('Relative to the folder, with /. Default: the folder itself.')

const INPUTS = {
  list: z.object({ path: path.optional() }),
  read: z.object({
    path: z.string().describe('The file, relative to the folder, with /.'),
    offset: z.int().min(0).optional().describe('The first line, from 1. Default: 1.'),
    limit: z.int().min(0).optional().describe('How many lines. Default: all, as far as they are shown at once.'),
  }),
  search: z.object({
    query: z.string().min(1).describe('What to look for, in each line by itself.'),
    regex: z.boolean().optional().describe('Whether the query is a regular expression, as in JavaScript.'),
    path: path.optional(),
  }),
}

/** Tools that show a model what is in a folder, and change nothing. What they cannot show is said in words to the model. */
export function lookingTools(folder: string, looks: Looks, context: Pick<AskContext, 'host' | 'signal'>) {
  const { host } = context
  const told = async (look: () => Promise<string>): Promise<string> => {
    const refusal = looks.refusal()
    if (refusal !== undefined) return refusal
    const words = await look().catch(error => {
      if (error instanceof CannotLook) return error.message
      throw error
    })
    return looks.isLast ? `${words}\n\n[this was the last look: decide now]` : words
  }
  return {
    list: {
      description: 'Lists a folder: folders with a slash at the end, files with their size.',
      inputSchema: INPUTS.list,
      execute: ({ path = '' }: z.output<typeof INPUTS.list>) => told(() => listFolder(folder, path, host)),
    },
    read: {
      description: 'Shows the text of a file, or some lines of it.',
      inputSchema: INPUTS.read,
      execute: (wanted: z.output<typeof INPUTS.read>) => told(() => readText(folder, wanted, host)),
    },
    search: {
      description: 'Finds lines in all files below a folder, or in a file, as file:line: text.',
      inputSchema: INPUTS.search,
      execute: (query: z.output<typeof INPUTS.search>) => told(() => searchFiles(folder, query, context)),
    },
  }
}
