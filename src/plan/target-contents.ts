import { dirname, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { TargetContents, TargetFile } from '../model/plan.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import { hashOfFile } from './hash-of-file.ts'

/** Each suite has loaded its targets itself, since programs are found from its folder. */
export async function targetContents(
  targets: Iterable<readonly [Suite, Target]>,
  host: Host,
  /** Hashes of files that count as they were before, by their paths. */
  before: ReadonlyMap<string, string> = new Map(),
): Promise<TargetContents> {
  const contents = new Map<Target, readonly TargetFile[]>()
  const hashes = new Map(before)
  for (const [suite, target] of targets) {
    const paths = await filesOf(target, dirname(suite.file), host)
    if (!paths) continue
    const files: TargetFile[] = []
    for (const path of paths) {
      const hash = hashes.get(path) ?? (await hashOfFile(path, host))
      hashes.set(path, hash)
      files.push({ path, hash })
    }
    contents.set(target, files)
  }
  return contents
}

/** Files that changed while a run was going on. */
export interface ChangedFiles {
  /** Programs, which were edited. */
  readonly programs: readonly string[]
  /** Anything else: the agent writes to them, so they do not tell whether it is another one. */
  readonly data: readonly string[]
}

export async function changedFiles(contents: TargetContents, host: Host): Promise<ChangedFiles> {
  const known = new Map([...contents.values()].flatMap(files => files.map(({ path, hash }) => [path, hash] as const)))
  const programs: string[] = []
  const data: string[] = []
  for (const [path, hash] of known) {
    if ((await hashOfFile(path, host).catch(() => '')) === hash) continue
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.executable || PROGRAM.test(path)) programs.push(path)
    else data.push(path)
  }
  return { programs, data }
}

const PROGRAM = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|lua|jar|go|rs|md|ya?ml)$/i

/** What is in its folders, such as skills; what it depends on; and the files that it names, as far as they exist. Undefined where it names none. */
async function filesOf(target: Target, suite: string, host: Host): Promise<Set<string> | undefined> {
  const { provider, config, settings, home } = target
  const files = new Set<string>()
  const named = provider.files?.(config, { home, suite }) ?? []
  for (const folder of provider.folders?.(config) ?? []) {
    const below = await host.files.findBelow(resolve(home, folder), () => true)
    for (const path of below.files) files.add(path)
  }
  if (settings.depends_on) for (const path of await host.files.glob(settings.depends_on, { cwd: home })) files.add(path)
  for (const path of named) {
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.kind === 'file') files.add(path)
  }
  return files.size === 0 && named.length === 0 ? undefined : files
}
