import type { LanguageModelMiddleware, ToolSet } from 'ai'
import * as z from 'zod'
import type { Look } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import type { SdkModel } from '../models/sdk-model.ts'
import { listFolder } from './list-folder.ts'
import { readFile } from './read-file.ts'
import { ToolError } from './resolve-inside.ts'
import { searchFiles } from './search-files.ts'

type ModelRequest = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** What a model is asked with that may look around, so often, and then has to decide. */
export function withFileTools(
  { wrapLanguageModel, stepCountIs }: typeof import('ai'),
  model: SdkModel,
  { folder, max_steps }: Look,
  schemaWithTools: boolean,
  context: AskContext,
) {
  const looks = new ToolBudget(max_steps)
  const transformParams = async ({ params }: { params: ModelRequest }) => {
    looks.next()
    if (schemaWithTools) return looks.areUsedUp ? { ...params, toolChoice: { type: 'none' as const } } : params
    const { tools, toolChoice, responseFormat, ...rest } = params
    const either = looks.areUsedUp ? { responseFormat } : { tools, toolChoice }
    return { ...rest, ...either } as ModelRequest
  }
  const tools: ToolSet = fileTools(folder, looks, context)
  return {
    model: wrapLanguageModel({ model, middleware: { specificationVersion: 'v3', transformParams } }),
    tools,
    stopWhen: stepCountIs(max_steps + 1),
  }
}

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
export function fileTools(folder: string, looks: ToolBudget, context: Pick<AskContext, 'host' | 'signal'>) {
  const { host } = context
  const told = async (look: () => Promise<string>): Promise<string> => {
    const refusal = looks.refusal()
    if (refusal !== undefined) return refusal
    const words = await look().catch(error => {
      if (error instanceof ToolError) return error.message
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
      execute: (wanted: z.output<typeof INPUTS.read>) => told(() => readFile(folder, wanted, host)),
    },
    search: {
      description: 'Finds lines in all files below a folder, or in a file, as file:line: text.',
      inputSchema: INPUTS.search,
      execute: (query: z.output<typeof INPUTS.search>) => told(() => searchFiles(folder, query, context)),
    },
  }
}

/** How many tools a model may call at once. */
const MAX_CALLS_PER_STEP = 10

/** How often a model may still look around: each of its replies in which it calls tools is one look. */
export class ToolBudget {
  readonly #most: number
  #asked = 0
  #calls = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The model is asked once more. */
  next(): void {
    this.#asked++
    this.#calls = 0
  }

  /** Whether the model has to decide now. */
  get areUsedUp(): boolean {
    return this.#asked > this.#most
  }

  /** Whether the model has to decide when it has seen this. */
  get isLast(): boolean {
    return this.#asked === this.#most
  }

  /** Why the model may not see this as well. */
  refusal(): string | undefined {
    if (this.areUsedUp) return 'you have looked as often as you may: decide now'
    return this.#calls++ < MAX_CALLS_PER_STEP
      ? undefined
      : `these are too many calls at once: at most ${MAX_CALLS_PER_STEP}`
  }
}
