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

export type ChangeState = (typeof CHANGE_STATES)[number]
export type Fingerprint = z.output<typeof fingerprintSchema>
export type FileChange = z.output<typeof fileChangeSchema>

/** The text of a file after the agent, if its diff contains it whole: that of a created file. */
export function textAfter({ state, diff, diff_cut }: FileChange): string | undefined {
  if (state !== 'created' || diff === undefined || diff_cut !== undefined) return undefined
  const lines = diff.split('\n')
  const start = lines.findIndex(line => line.startsWith('@@'))
  const added = lines.slice(start + 1).filter(line => line.startsWith('+'))
  const text = added.map(line => `${line.slice(1)}\n`).join('')
  return lines.some(line => line.startsWith('\\ No newline')) ? text.slice(0, -1) : text
}
