import { withoutNullish } from '../lib/objects.ts'
import type { Provenance } from '../model/provenance.ts'
import type { RunInfo } from '../model/run-info.ts'

/** The provenance of a run with what was added to it later. */
export type JoinedProvenance = Provenance & Pick<RunInfo, 'resumes' | 'merged_from'>

/**
 * The provenance of a resumed run: where it started, and each resume at another commit or with other uncommitted
 * changes. `started` is undefined if no attempt is made now.
 */
export function resumedProvenance(before: RunInfo, now: Provenance, started: string | undefined): JoinedProvenance {
  const { git_commit, git_branch, git_dirty, command, ci_url, source_url, merged_from, resumes = [] } = before
  const label = now.label ?? before.label
  const last = resumes.at(-1) ?? before
  const isOther = last.git_commit !== now.git_commit || Boolean(last.git_dirty) !== Boolean(now.git_dirty)
  const resume = { started, ...withoutNullish({ git_commit: now.git_commit, git_dirty: now.git_dirty }) }
  const all = started !== undefined && isOther ? [...resumes, { ...resume, started }] : resumes
  const kept = { git_commit, git_branch, git_dirty, label, command, ci_url, source_url, merged_from }
  return { ...withoutNullish(kept), ...(all.length === 0 ? {} : { resumes: all }) }
}

/** The provenance of a run merged from others: what is the same for all of them, and the commit of each. */
export function mergedProvenance(runs: readonly RunInfo[], command: readonly string[] | undefined): JoinedProvenance {
  const same = <Key extends keyof RunInfo>(key: Key) => {
    const [first, ...others] = runs.map(run => run[key])
    return others.every(value => value === first) ? first : undefined
  }
  const git_commit = same('git_commit')
  const resumes = runs.flatMap(run => run.resumes ?? [])
  const facts = {
    git_commit,
    git_branch: same('git_branch'),
    // One dirty run suffices: then, the commit does not say what was run.
    git_dirty: runs.some(run => run.git_dirty) ? true : same('git_dirty'),
    label: same('label'),
    command: command && [...command],
    ci_url: same('ci_url'),
    source_url: same('source_url'),
    resumes: resumes.length === 0 ? undefined : resumes,
    merged_from: runs.flatMap(mergedRuns),
  }
  return withoutNullish(git_commit === undefined ? { ...facts, git_dirty: undefined } : facts)
}

/** What a merged run records of a run; of a merged one, the runs that it was merged from. */
function mergedRuns({ run_id, git_commit, git_dirty, merged_from }: RunInfo): NonNullable<RunInfo['merged_from']> {
  return merged_from ?? [{ run_id, ...withoutNullish({ git_commit, git_dirty }) }]
}
