import { resolve } from 'node:path'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { findProgram } from '../../../model/program.ts'
import type { TargetFolders } from '../../../model/provider.ts'
import { hiddenFolders } from './hidden-folders.ts'
import { resolveLinks } from './resolve-links.ts'

interface SandboxFields {
  readonly sandbox?: boolean | undefined
  readonly network?: boolean | undefined
  readonly readable?: readonly string[] | undefined
  readonly workspace?: string | undefined
  readonly config_dir?: string | undefined
}

/** Reports fields that contradict each other. */
export function sandboxIssues({ sandbox, network, readable, workspace, config_dir }: SandboxFields): Issue[] {
  const issue = (path: string, message: string, hint: string) =>
    ({ code: 'bad-target', path: [path], message, hint }) as const
  if (!sandbox) {
    const unused = Object.entries({ network, readable }).filter(([, value]) => value !== undefined)
    const hint = 'add `sandbox: true`, or remove it'
    return unused.map(([key]) => issue(key, `\`${key}\` has no effect without a sandbox`, hint))
  }
  const issues: Issue[] = []
  if (workspace === undefined) {
    const hint = 'add `workspace: DIR`, a folder that is copied for every attempt'
    issues.push(issue('sandbox', '`sandbox` needs a `workspace`, the only folder that the program can write to', hint))
  }
  if (config_dir === 'user') {
    const hint = 'remove `config_dir`: your login is copied into an isolated configuration'
    issues.push(issue('config_dir', 'your own configuration is not available in a sandbox', hint))
  }
  return issues
}

/** Reports paths of `readable` that do not exist. */
export async function readableIssues({ readable = [] }: SandboxFields, home: string, host: Host): Promise<Issue[]> {
  const found = await Promise.all(readable.map(path => host.files.stat(resolve(home, path)).catch(() => undefined)))
  return readable.flatMap((written, index): Issue[] => {
    if (found[index]) return []
    const message = `${quoteCode(written)} does not exist`
    return [{ code: 'file-missing', path: ['readable', index], message, hint: `relative paths start at ${home}` }]
  })
}

/** Reports a sandbox that this machine cannot create, and folders in `readable` that every sandbox hides. */
export async function unavailableSandboxIssues(
  { sandbox, readable = [] }: SandboxFields,
  folders: TargetFolders,
  host: Host,
): Promise<Issue[]> {
  if (!sandbox) return []
  const missing = await describeMissingSandbox(host)
  if (missing) return [{ code: 'not-available', path: ['sandbox'], ...missing }]
  const hidden = await hiddenFolders(folders, host)
  const real = await Promise.all(readable.map(path => resolveLinks(resolve(folders.home, path), host)))
  return readable.flatMap((written, index): Issue[] => {
    if (!hidden.includes(real[index]?.real ?? '')) return []
    const message = `${quoteCode(written)} is hidden in a sandbox, since it contains the project, other attempts or your files`
    const hint = 'name the files and folders in it that the program needs'
    return [{ code: 'bad-target', path: ['readable', index], message, hint }]
  })
}

/** Describes what this machine lacks for the sandbox of a target; undefined if it lacks nothing. */
export async function describeLackingSandbox({ sandbox }: SandboxFields, host: Host): Promise<string | undefined> {
  const missing = sandbox ? await describeMissingSandbox(host) : undefined
  return missing && `${missing.message}: ${missing.hint}`
}

/** Describes why this machine cannot create sandboxes, and what to do; undefined if bubblewrap is installed. */
async function describeMissingSandbox(
  host: Host,
): Promise<{ readonly message: string; readonly hint: string } | undefined> {
  if (host.platform !== 'linux') {
    const hint = 'remove `sandbox`, or run it on Linux'
    return { message: `sandboxes need Linux, and this machine has ${quoteCode(host.platform)}`, hint }
  }
  if ((await findProgram('bwrap', host)) !== undefined) return undefined
  const hint = 'install the package `bubblewrap`, such as with `apt install bubblewrap`'
  return { message: '`sandbox` needs bubblewrap, and `bwrap` is not on PATH', hint }
}
