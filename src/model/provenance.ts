import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

const git_commit = lazily(() => z.string().optional().describe('The commit that was checked out.'))
const git_dirty = lazily(() =>
  z
    .boolean()
    .optional()
    .describe('Whether files differed from the commit, untracked ones included; absent if unknown.'),
)

/** What a run was made from, as fields of `run.json`. Absent where it is unknown. */
export const provenanceFields = lazily(() => ({
  git_commit: git_commit(),
  git_branch: z.string().optional().describe('The branch that was checked out, or the one that the CI names.'),
  git_dirty: git_dirty(),
  label: z.string().optional().describe('The `--label` of the run.'),
  command: z.array(z.string()).optional().describe('The command that started the run, as typed, without secrets.'),
  ci_url: z.string().optional().describe('The CI job that started the run.'),
  source_url: z.string().optional().describe('The files of the repository at the commit: append a path.'),
  resumes: z
    .array(
      z.strictObject({
        started: z.string().describe('Start of the resumed run.'),
        git_commit: git_commit(),
        git_dirty: git_dirty(),
      }),
    )
    .optional()
    .describe('Resumes at another commit, or with other uncommitted changes; absent if there were none.'),
  merged_from: z
    .array(z.strictObject({ run_id: z.string(), git_commit: git_commit(), git_dirty: git_dirty() }))
    .optional()
    .describe('The runs that were merged. Of provenance that differs, the merged run has none itself.'),
}))

type Fields = {
  [Name in keyof ReturnType<typeof provenanceFields>]: z.output<ReturnType<typeof provenanceFields>[Name]>
}

/** Where a run comes from: its commit, command, label and CI job. */
export type Provenance = Partial<Pick<Fields, 'git_commit' | 'git_branch' | 'git_dirty' | 'label' | 'command'>> &
  Partial<Pick<Fields, 'ci_url' | 'source_url'>>
