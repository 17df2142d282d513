import { isAbsolute } from 'node:path'
import { withoutNullish } from '../lib/objects.ts'
import { webUrl } from '../lib/web-url.ts'
import type { RunInfo } from '../model/run-info.ts'

/** What reports show of where a run comes from. */
type Origin = Partial<
  Pick<
    RunInfo,
    'git_commit' | 'git_branch' | 'git_dirty' | 'label' | 'ci_url' | 'source_url' | 'source' | 'resumes' | 'merged_from'
  >
>

/** `commit 1a2b3c4 (main, dirty), label nightly`; undefined if nothing is known. Has control characters as recorded. */
export function provenanceText(info: Origin | undefined): string | undefined {
  if (!info) return undefined
  const { label, source } = info
  const commits = commitsText(info)
  const graded = `answers of ${source}, graded ${commits === undefined ? 'again' : `at ${commits}`}`
  const origin = source === undefined ? commits : graded
  const parts = [origin, label === undefined ? undefined : `label ${label}`].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** `commit 1a2b3c4 (main), resumed at 5d6e7f8 (dirty)`; of a merged run, every commit of its runs. */
function commitsText({
  git_commit,
  git_branch,
  git_dirty,
  resumes = [],
  merged_from = [],
}: Origin): string | undefined {
  const merged = [...new Set(merged_from.map(commitText))]
  const resumed = [...new Set(resumes.map(commitText))].map(text => `resumed at ${text}`)
  if (git_commit === undefined && merged.length > 1) return [`commits ${merged.join(', ')}`, ...resumed].join(', ')
  if (git_commit === undefined && resumed.length === 0) return undefined
  return [`commit ${commitText({ git_commit, git_branch, git_dirty })}`, ...resumed].join(', ')
}

/** `1a2b3c4 (main, dirty)`. */
export function commitText(commit: Pick<Origin, 'git_commit' | 'git_branch' | 'git_dirty'>): string {
  const { git_commit, git_branch, git_dirty } = commit
  const details = [...(git_branch === undefined ? [] : [git_branch]), ...(git_dirty ? ['dirty'] : [])]
  return `${git_commit?.slice(0, 7) ?? 'unknown'}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
}

/** Fields for tables and properties. A commit is left out if some attempts were made at another one. */
export function provenanceFields(info: Origin | undefined) {
  const { git_commit, git_branch, git_dirty, label, resumes } = info ?? {}
  const provenance = provenanceText(info)
  return withoutNullish(resumes ? { label, provenance } : { git_commit, git_branch, git_dirty, label, provenance })
}

/** The pages of the commit and of the CI job, if they are known and safe to link to. */
export function provenanceLinks({ git_commit, ci_url, source_url }: Origin) {
  const files = webUrl(source_url)
  const end = `/blob/${git_commit}/`
  const commit_url = files?.endsWith(end) ? `${files.slice(0, -end.length)}/commit/${git_commit}` : undefined
  return { commit_url, ci_url: webUrl(ci_url) }
}

/** The page of a line of a file at the commit of a run, if it is known and safe to link to. */
export function lineUrl(info: Origin | undefined, file: string, line: number): string | undefined {
  const files = webUrl(info?.source_url)
  if (files === undefined || isAbsolute(file)) return undefined
  const path = file.split('/').map(encodeURIComponent).join('/').replace(/[()]/g, escaped)
  return `${files}${path}#L${line}`
}

/** Parentheses would end a link. */
function escaped(character: string): string {
  return character === '(' ? '%28' : '%29'
}
