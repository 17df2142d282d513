import * as z from 'zod'

/** What an agent can do to a file. */
export const CHANGE_STATES = ['created', 'modified', 'deleted'] as const

/** Most bytes of the diff of one file, and of all diffs of an attempt. */
export const LARGEST_DIFF_BYTES = 64 * 1024
export const LARGEST_DIFFS_BYTES = 512 * 1024

const fingerprintSchema = z
  .strictObject({
    size: z.int().min(0).describe('Size in bytes.'),
    hash: z.string().describe('SHA-256 of the content, or of the path that a link leads to.'),
    link: z.string().optional().describe('For a symbolic link: the path that it leads to.'),
  })
  .describe('The content of a file.')

const fileChangeSchema = z
  .strictObject({
    path: z.string().min(1).describe('Path in the workspace, with `/` between folders.'),
    state: z.enum(CHANGE_STATES).describe('created, modified or deleted.'),
    before: fingerprintSchema.optional().describe('The file before the agent; absent if it was created.'),
    after: fingerprintSchema.optional().describe('The file after the agent; absent if it was deleted.'),
    diff: z.string().optional().describe('The difference as a unified diff, for texts.'),
    diff_cut: z
      .enum(['binary', 'file', 'attempt'])
      .optional()
      .describe(
        'Why the diff is missing or incomplete: the content is not text, or the limit of 64 KB a file or of 512 KB an attempt is reached.',
      ),
  })
  .describe('A file that the agent created, modified or deleted.')

/** What an agent changed in its workspace. Sorted by path; what `setup` did is not part of it. */
export const changesSchema = z
  .array(fileChangeSchema)
  .describe('The files that the agent created, modified or deleted in its workspace; absent without a workspace.')

/** Returns the text of a created file, from its diff; undefined if the diff does not have all of it. */
export function textAfter({ state, after, diff, diff_cut }: FileChange): string | undefined {
  if (state !== 'created' || !after || after.link !== undefined || diff_cut !== undefined) return undefined
  if (after.size === 0) return ''
  const lines = diff?.split('\n') ?? []
  const start = lines.findIndex(line => line.startsWith('@@')) + 1
  const added = lines.slice(start).filter(line => line !== '')
  const isOpen = added.at(-1)?.startsWith('\\') ?? false
  const own = isOpen ? added.slice(0, -1) : added
  if (own.length === 0 || !own.every(line => line.startsWith('+'))) return undefined
  return `${own.map(line => line.slice(1)).join('\n')}${isOpen ? '' : '\n'}`
}

export type ChangeState = (typeof CHANGE_STATES)[number]
export type Fingerprint = z.output<typeof fingerprintSchema>
export type FileChange = z.output<typeof fileChangeSchema>
