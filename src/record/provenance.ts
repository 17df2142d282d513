import { join, relative, sep } from 'node:path'
import { withoutNullish } from '../lib/objects.ts'
import { webUrl } from '../lib/web-url.ts'
import type { Host } from '../model/host.ts'
import type { Provenance } from '../model/provenance.ts'
import { runGit } from './git.ts'

/** Time after which the facts of git are left out: a huge repository must not hold up a run. */
const GIT_LIMIT_MS = 3000

const LONGEST_NAME = 250

/** What the user says about a run. */
export interface RunOrigin {
  readonly label?: string | undefined
  readonly command?: readonly string[] | undefined
}

interface Place {
  readonly root: string
  readonly runs_folder: string
}

/**
 * Collects where a run comes from: the user, git, and the variables of CI systems. Never throws. `signal` ends git, whose
 * facts are left out then.
 */
export async function collectProvenance(
  { label, command }: RunOrigin,
  place: Place,
  host: Host,
  signal?: AbortSignal,
): Promise<Provenance> {
  const { env } = host
  const found = await gitFacts(place, host, signal)
  const git_commit = found?.commit ?? commitIn(firstOf(env, ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT']))
  const facts = {
    git_commit,
    git_branch: git_commit === undefined ? undefined : (found?.branch ?? branchInCi(env)),
    git_dirty: found?.is_dirty,
    label,
    command: command && [...command],
    ci_url: jobUrl(env),
    source_url: found && sourceUrl(env, found.commit),
  }
  return withoutNullish(facts) as Provenance
}

interface GitFacts {
  readonly commit: string
  /** Undefined for a detached head. */
  readonly branch: string | undefined
  readonly is_dirty: boolean
}

/** Asks git; undefined outside of a repository, before the first commit, and where git fails or takes too long. */
async function gitFacts(
  { root, runs_folder }: Place,
  host: Host,
  signal: AbortSignal | undefined,
): Promise<GitFacts | undefined> {
  // Git looks no further up than the root.
  if (!(await host.files.stat(join(root, '.git')).catch(() => undefined))) return undefined
  const headers = new Map<string, string>()
  let is_dirty = false
  const onLine = (line: string) => {
    const [, name, value] = /^# (\S+) (.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers.set(name, value)
    else is_dirty ||= line !== ''
  }
  const args = [...GIT_STATUS, '--', '.', ...ownFiles(root, runs_folder)]
  const end = await runGit(args, root, host, { limit_ms: GIT_LIMIT_MS, onLine, signal })
  const commit = commitIn(headers.get('branch.oid'))
  if (end?.code !== 0 || commit === undefined) return undefined
  const head = headers.get('branch.head')
  return { commit, branch: head === '(detached)' ? undefined : bounded(head), is_dirty }
}

/** Untracked files count whatever the user has configured. */
const GIT_STATUS = ['status', '--porcelain=v2', '--branch', '--untracked-files=normal']

/** Leaves out what runs write themselves: otherwise, a resumed run would differ from its start. */
function ownFiles(root: string, runsFolder: string): string[] {
  const runs = relative(root, runsFolder)
  const isBelow = runs !== '' && runs !== '..' && !runs.startsWith(`..${sep}`)
  return [':(exclude,top,glob)**/.assay/.gitignore', ...(isBelow ? [`:(exclude,top,literal)${runs}`] : [])]
}

function commitIn(text: string | undefined): string | undefined {
  return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined
}

type Variables = Host['env']

function firstOf(env: Variables, names: readonly string[]): string | undefined {
  return names.map(name => env[name]).find(value => value !== undefined && value !== '')
}

function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, LONGEST_NAME)
}

const BRANCHES = ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME', 'BRANCH_NAME', 'GIT_BRANCH']

/** The branch that a CI system names: it checks out a commit, not a branch. */
function branchInCi(env: Variables): string | undefined {
  return bounded(firstOf(env, BRANCHES)?.replace(/^origin\//, ''))
}

/** The page of the CI job. */
function jobUrl(env: Variables): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env
  const github = server && repository && id ? `${server}/${repository}/actions/runs/${id}` : undefined
  return webUrl(github ?? firstOf(env, ['CI_JOB_URL', 'BUILD_URL', 'CIRCLE_BUILD_URL', 'BUILDKITE_BUILD_URL']))
}

/** The files at a commit, if the CI system runs for this commit: it may have checked out another repository too. */
function sourceUrl(env: Variables, commit: string): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env
  if (server && repository && env['GITHUB_SHA'] === commit) return webUrl(`${server}/${repository}/blob/${commit}/`)
  if (project && env['CI_COMMIT_SHA'] === commit) return webUrl(`${project}/-/blob/${commit}/`)
  return undefined
}
