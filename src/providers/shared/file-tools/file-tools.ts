import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { AskContext } from '../../../model/provider.ts'
import { listFolder } from './list-folder.ts'
import { readFile } from './read-file.ts'
import { ToolError } from './resolve-inside.ts'
import { searchFiles } from './search-files.ts'

const path = lazily(() => z.string().describe('Path relative to the folder, with /. Default: the folder itself.'))

const inputSchemas = lazily(() => ({
  list: z.object({ path: path().optional() }),
  read: z.object({
    path: z.string().describe('Path of the file, relative to the folder, with /.'),
    offset: z.int().min(0).optional().describe('The first line, from 1. Default: 1.'),
    limit: z.int().min(0).optional().describe('How many lines. Default: all, up to the size limit of one call.'),
  }),
  search: z.object({
    query: z.string().min(1).describe('Text to find. Each line is searched separately.'),
    regex: z.boolean().optional().describe('Whether the query is a JavaScript regular expression.'),
    path: path().optional(),
  }),
}))

export interface FileTool {
  readonly description: string
  readonly inputSchema: z.ZodObject
  execute(input: never): Promise<string>
}

/** Read-only tools for the files in a folder. Failures are reported to the model as text. */
export function fileTools(folder: string, budget: ToolBudget, context: Pick<AskContext, 'host' | 'signal'>) {
  const { host } = context
  const run = async (call: () => Promise<string>): Promise<string> => {
    const refusal = budget.refusal()
    if (refusal !== undefined) return refusal
    const text = await call().catch(error => {
      if (error instanceof ToolError) return error.message
      throw error
    })
    return budget.isLast ? `${text}\n\n[these were the last tool calls: answer now]` : text
  }
  return {
    list: {
      description: 'Lists a folder: subfolders end with a slash, files have their size.',
      inputSchema: inputSchemas().list,
      execute: ({ path = '' }: z.output<ReturnType<typeof inputSchemas>['list']>) =>
        run(() => listFolder(folder, path, host)),
    },
    read: {
      description: 'Returns the text of a file, or some of its lines.',
      inputSchema: inputSchemas().read,
      execute: (request: z.output<ReturnType<typeof inputSchemas>['read']>) =>
        run(() => readFile(folder, request, host)),
    },
    search: {
      description: 'Finds matching lines in a file, or in all files below a folder, as file:line: text.',
      inputSchema: inputSchemas().search,
      execute: (query: z.output<ReturnType<typeof inputSchemas>['search']>) =>
        run(() => searchFiles(folder, query, context)),
    },
  }
}

const MAX_CALLS_PER_STEP = 10

/** Limits the tool use of a model: each of its replies that calls tools is one step. */
export class ToolBudget {
  readonly #limit: number
  #step = 0
  #calls = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Begins the next request to the model. */
  next(): void {
    this.#step++
    this.#calls = 0
  }

  /** Whether the model has used all of its steps and must answer. */
  get isUsedUp(): boolean {
    return this.#step > this.#limit
  }

  /** Whether this is the last step with tools. */
  get isLast(): boolean {
    return this.#step === this.#limit
  }

  /** Why the next call is refused; undefined if it is allowed. */
  refusal(): string | undefined {
    if (this.isUsedUp) return 'no tool calls are left: answer now'
    return this.#calls++ < MAX_CALLS_PER_STEP
      ? undefined
      : `too many tool calls at once: the maximum is ${MAX_CALLS_PER_STEP}`
  }
}
