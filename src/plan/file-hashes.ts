import { dirname, resolve } from 'node:path'
import { sha256 } from '../lib/sha256.ts'
import { type Check, type CheckFile, nestedChecks } from '../model/check.ts'
import { someEvaluator } from '../model/evaluators-in.ts'
import type { Host } from '../model/host.ts'
import { filePathsIn, looksLikeMessages } from '../model/message.ts'
import type { FileHashes, TargetContents, TargetFile } from '../model/plan.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { EMPTY_WORKSPACE, workspaceOf } from '../model/workspace.ts'
import { hashAgentFolders } from './agent-folders.ts'
import { hashWorkspace } from './workspace-files.ts'

/** Hashes all files that tests and their checks name. */
export async function hashFiles(
  selected: readonly { readonly suite: Suite; readonly tests: readonly Test[] }[],
  host: Host,
): Promise<FileHashes> {
  const hashes = await hashAgentFolders(selected, host)
  const paths = new Set<string>()
  for (const { path, text } of filesOfTests(selected)) {
    if (text === undefined) paths.add(path)
    else hashes.set(path, sha256(text))
  }
  for (const path of paths) {
    if (!hashes.has(path)) hashes.set(path, await hashFile(path, host))
  }
  return hashes
}

function* filesOfTests(suites: readonly { readonly tests: readonly Test[] }[]): Generator<CheckFile> {
  const seen = new Set<Check>()
  for (const { tests } of suites) {
    const mayNameFiles = someEvaluator(tests, ({ files }) => files !== undefined)
    for (const test of tests) {
      for (const path of filesOfRequest(test)) yield { path }
      for (const path of filesOfExpectation(test)) yield { path }
      if (mayNameFiles) yield* filesOfChecks(test.checks, seen)
    }
  }
}

/** The files of what an agent is asked: those of its messages and of its mocked servers. */
export function filesOfRequest({ input, variants, mocks }: Test): Iterable<string> {
  const paths = variants ? variants.flatMap(variant => filePathsIn(variant.input)) : filePathsIn(input)
  return mocks ? [...paths, ...mocks.paths] : paths
}

export function filesOfExpectation({ expected_output }: Test): Iterable<string> {
  return looksLikeMessages(expected_output) ? filePathsIn(expected_output) : []
}

/** The files that checks name, at any depth. Skips the checks in `seen`, and adds to them. */
export function* filesOfChecks(checks: readonly Check[], seen = new Set<Check>()): Generator<CheckFile> {
  for (const check of checks) {
    const nested = nestedChecks(check)
    if ((check.files.size === 0 && nested.length === 0) || seen.has(check)) continue
    seen.add(check)
    yield* check.files.values()
    yield* filesOfChecks(nested, seen)
  }
}

/** Hashes the files of targets. Suites load targets separately, because programs are looked up in the suite's folder. */
export async function targetContents(
  targets: Iterable<readonly [Suite, Target]>,
  host: Host,
  /** Known hashes that are reused, by path. */
  before: ReadonlyMap<string, string> = new Map(),
): Promise<TargetContents> {
  const contents = new Map<Target, readonly TargetFile[]>()
  const hashes = new Map(before)
  for (const [suite, target] of targets) {
    const paths = await targetFiles(target, dirname(suite.file), host)
    const workspace = copiedFolder(target)
    if (!paths && workspace === undefined) continue
    const files: TargetFile[] = []
    if (workspace !== undefined) {
      const hash = hashes.get(workspace) ?? (await hashWorkspace(workspace, host))
      hashes.set(workspace, hash)
      files.push({ path: workspace, hash, is_folder: true })
    }
    for (const path of paths ?? []) {
      const hash = hashes.get(path) ?? (await hashFile(path, host))
      hashes.set(path, hash)
      files.push({ path, hash })
    }
    contents.set(target, files)
  }
  return contents
}

/** The folder that is copied for each attempt. */
function copiedFolder(target: Target): string | undefined {
  const workspace = workspaceOf(target)
  return workspace === EMPTY_WORKSPACE ? undefined : workspace
}

/** Files of targets that changed during a run. */
export interface ChangedFiles {
  /** Edited programs. */
  readonly programs: readonly string[]
  /** Other files. The agent writes to them, so they do not make another target. */
  readonly data: readonly string[]
}

export async function changedFiles(contents: TargetContents, host: Host): Promise<ChangedFiles> {
  const known = new Map([...contents.values()].flatMap(files => files.map(file => [file.path, file] as const)))
  const programs: string[] = []
  const data: string[] = []
  for (const { path, hash, is_folder } of known.values()) {
    const now = is_folder ? hashWorkspace(path, host) : hashFile(path, host)
    if ((await now.catch(() => '')) === hash) continue
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.executable || PROGRAM_EXTENSION.test(path)) programs.push(path)
    else data.push(path)
  }
  return { programs, data }
}

const PROGRAM_EXTENSION = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|lua|jar|go|rs|md|ya?ml)$/i

/** The files in the folders of a target, those of `depends_on`, and existing files that it names; undefined if it names none. */
async function targetFiles(target: Target, suite: string, host: Host): Promise<Set<string> | undefined> {
  const { provider, config, settings, home } = target
  const files = new Set<string>()
  const named = provider.files?.paths?.(config, { home, suite }) ?? []
  for (const folder of provider.files?.folders?.(config) ?? []) {
    const below = await host.files.findBelow(resolve(home, folder), () => true)
    for (const path of below.files) files.add(path)
  }
  for (const path of (await provider.files?.find?.(config, home, host)) ?? []) files.add(path)
  if (settings.depends_on) for (const path of await host.files.glob(settings.depends_on, { cwd: home })) files.add(path)
  for (const path of named) {
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.kind === 'file') files.add(path)
  }
  return files.size === 0 && named.length === 0 ? undefined : files
}

/** Errors that a retry does not fix. */
const LASTING_ERRORS = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP']

/** Hashes a file. A missing file has a fixed hash; a temporary error throws, so that it does not change identities. */
async function hashFile(path: string, host: Host): Promise<string> {
  return host.files.read(path).then(sha256, (error: NodeJS.ErrnoException) => {
    if (LASTING_ERRORS.includes(error.code ?? '')) return 'unreadable'
    error.message = `${path} cannot be read: ${error.message}`
    throw error
  })
}
