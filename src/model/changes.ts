import { lazily } from '../lib/lazily.ts'
import { readHunks } from '../lib/text/unified-diff.ts'
import * as z from '../lib/zod.ts'

/** What an agent can do to a file. */
export const CHANGE_STATES = ['created', 'modified', 'deleted'] as const

/** Most bytes of the diff of one file, and of all diffs of an attempt. */
export const LARGEST_DIFF_BYTES = 64 * 1024
export const LARGEST_DIFFS_BYTES = 512 * 1024

const fingerprintSchema = lazily(() =>
  z
    .strictObject({
      size: z.int().min(0).describe('Size in bytes.'),
      hash: z
        .string()
        .optional()
        .describe('SHA-256 of the content, or of the path that a link leads to; absent if it could not be read.'),
      link: z.string().optional().describe('For a symbolic link: the path that it leads to.'),
    })
    .describe('The content of a file.'),
)

const fileChangeSchema = lazily(() =>
  z
    .strictObject({
      path: z.string().min(1).describe('Path in the workspace, with `/` between folders.'),
      state: z.enum(CHANGE_STATES).describe('created, modified or deleted.'),
      before: fingerprintSchema().optional().describe('The file before the agent; absent if it was created.'),
      after: fingerprintSchema().optional().describe('The file after the agent; absent if it was deleted.'),
      diff: z.string().optional().describe('The difference as a unified diff, for texts.'),
      diff_cut: z
        .enum(['binary', 'file', 'attempt', 'unreadable'])
        .optional()
        .describe(
          'Why the diff is missing or incomplete: the content is not text, the limit of 64 KB a file or of 512 KB an attempt is reached, or the content before or after could not be read. If that before could not be read, its size is all that is known of it, and the content may be the same.',
        ),
    })
    .describe('A file that the agent created, modified or deleted.'),
)

/** What an agent changed in its workspace. Sorted by path; what `setup` did is not part of it. */
export const changesSchema = lazily(() =>
  z
    .array(fileChangeSchema())
    .describe('The files that the agent created, modified or deleted in its workspace; absent without a workspace.'),
)

export type ChangeState = (typeof CHANGE_STATES)[number]
export type Fingerprint = z.output<ReturnType<typeof fingerprintSchema>>
export type FileChange = z.output<ReturnType<typeof fileChangeSchema>>

/** The text of a file after the agent, if its diff contains all of it. */
export function textAfter({ state, after, diff, diff_cut }: FileChange): string | undefined {
  if (!after || after.link !== undefined || diff === undefined || diff_cut !== undefined) return undefined
  const hunks = readHunks(diff)
  const text = hunks.flatMap(({ lines }) => lines.flatMap(({ mark, text }) => (mark === '-' ? [] : [text]))).join('')
  // A diff of a modified file has the whole text if the lines that it leaves out are empty in sum.
  return state === 'created' || new TextEncoder().encode(text).length === after.size ? text : undefined
}
