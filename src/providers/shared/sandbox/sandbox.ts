import { join, resolve } from 'node:path'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host, Program } from '../../../model/host.ts'
import { filePathsIn } from '../../../model/message.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import { workingFolder } from '../programs/program-fields.ts'
import { hiddenFolders } from './hidden-folders.ts'
import { type Mount, mountArguments } from './mounts.ts'
import { commandPaths } from './program-paths.ts'
import { resolveLinks } from './resolve-links.ts'

/** A prepared sandbox: what a program in it sees. */
export interface Sandbox {
  /** The arguments of bwrap, up to the command. */
  readonly args: readonly string[]
  /** What is removed from the environment or added to it. */
  readonly env: NonNullable<Program['env']>
}

/** Paths that exist in a sandbox besides those that follow from its target and prompt. */
export interface SandboxPaths {
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Folders in readable ones that are not there. */
  readonly hidden?: readonly string[]
}

/** The fields of a target that a sandbox depends on. */
interface SandboxedTarget {
  readonly sandbox?: boolean | undefined
  readonly network?: boolean | undefined
  readonly readable?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** As it is written, without the text of a prompt. */
  readonly command: readonly string[] | string
  /** Names of variables that the program inherits besides the usual ones. */
  readonly variables?: RegExp | undefined
}

/** Prepares the sandbox of a target for one prompt; undefined if the target has none. */
export async function prepareSandbox(
  target: SandboxedTarget,
  prompt: Prompt,
  context: AskContext,
  paths: SandboxPaths,
): Promise<Sandbox | undefined> {
  if (!target.sandbox) return undefined
  const { host, home } = context
  const network = target.network ?? false
  const hidden = await hiddenFolders({ home, suite: prompt.folder }, host)
  const cwd = workingFolder(target, prompt, context)
  const command = { command: target.command, cwd, path: target.env?.['PATH'] }
  const named = (target.readable ?? []).map(path => resolve(home, path))
  const readable = [
    ...(await existingPaths([...SYSTEM, ...(network ? NAMES_OF_HOSTS : []), ...certificates(host)], host)),
    ...(await commandPaths(command, hidden, host)),
    ...(await withoutHidden(named, hidden, host)),
    ...(await existingPaths(filePathsIn(prompt.messages), host)),
    // A judge inspects a folder, and must not change what other checks see.
    ...(prompt.look ? [await ownFolder(prompt.look.folder, host)] : []),
    ...(prompt.mcp?.readable ?? []),
    ...paths.readable,
  ]
  const own = prompt.look ? [] : [await ownFolder(prompt.workspace, host)]
  const writable = [...own, ...(prompt.mcp?.writable ?? []), ...paths.writable]
  const mounts = [
    ...[...hidden, ...(await realPaths(paths.hidden ?? [], host))].map(path => ({ kind: 'hidden', path }) as const),
    ...(await mountsOf('readable', readable, host)),
    ...(await mountsOf('writable', writable, host)),
    ...(await mountsOf('empty', ['/tmp', SANDBOX_HOME], host)),
    { kind: 'dev', path: '/dev' } as const,
    { kind: 'proc', path: '/proc' } as const,
  ]
  return {
    args: [...isolation(network), ...mountArguments(mounts), ...PROTECTED_PROC, '--chdir', cwd],
    env: environment(host, network, target.variables),
  }
}

/** The home folder in a sandbox. Not in /tmp, of which some agents warn. */
const SANDBOX_HOME = '/home/sandbox'

/** What programs need of the system. Folders that do not exist are left out; links, such as /bin on most systems, stay links. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix/store', '/gnu/store', '/run/current-system'],
]

/** On many systems a link to a file in /run. */
const NAMES_OF_HOSTS = ['/etc/resolv.conf']

/** A user namespace does not stop root from writing to these, and so from changing the machine. */
const PROTECTED_PROC = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].flatMap(name => {
  const path = join('/proc', name)
  return ['--ro-bind-try', path, path]
})

/** Separates the program from the processes, and unless it has the network, from the sockets of the machine. */
function isolation(network: boolean): string[] {
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    // Without capabilities; it ends with its last process, or with us.
    ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
  ]
}

/** Variables that name certificates, without which services behind a proxy are not trusted. */
const CERTIFICATES = [
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
]

function certificates(host: Host): string[] {
  return CERTIFICATES.flatMap(name => host.env[name] || []).map(path => resolve(host.cwd, path))
}

const USUAL_VARIABLES = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|USER|LOGNAME|SHELL|CI|SSL_CERT_DIR)$/
const PROXY_VARIABLES = /^(?:https?|no|all)_proxy$/i

/** The changes to the environment: variables that the program does not inherit, as undefined, and its home folder. */
function environment(host: Host, network: boolean, own: RegExp | undefined): Sandbox['env'] {
  const isInherited = (name: string) =>
    USUAL_VARIABLES.test(name) ||
    CERTIFICATES.includes(name) ||
    (network && PROXY_VARIABLES.test(name)) ||
    own?.test(name) === true
  const others = Object.keys(host.env).filter(name => !isInherited(name))
  return { ...Object.fromEntries(others.map(name => [name, undefined])), HOME: SANDBOX_HOME }
}

/** The folder in which the program works. A link would show what it leads to: an agent may have made it. */
async function ownFolder(folder: string | undefined, host: Host): Promise<string> {
  if (folder === undefined) throw new NoAnswer('bad-workspace', 'a sandbox needs a workspace')
  if ((await host.files.readLink(folder)) === undefined) return folder
  throw new NoAnswer('bad-workspace', `${folder} is a link: a sandbox needs the folder itself`)
}

/** Paths that may be a hidden folder itself, or behind a link to one, are left out. */
async function withoutHidden(paths: readonly string[], hidden: readonly string[], host: Host): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) if (!hidden.includes((await resolveLinks(path, host)).real)) found.push(path)
  return found
}

async function existingPaths(paths: readonly string[], host: Host): Promise<string[]> {
  const stats = await Promise.all(paths.map(path => host.files.stat(path).catch(() => undefined)))
  return paths.filter((_, index) => stats[index])
}

async function realPaths(paths: readonly string[], host: Host): Promise<string[]> {
  const existing = await existingPaths(paths, host)
  return Promise.all(existing.map(async path => (await resolveLinks(path, host)).real))
}

/** The mounts of paths: their real paths, and the links that lead there. */
async function mountsOf(
  kind: 'readable' | 'writable' | 'empty',
  paths: readonly string[],
  host: Host,
): Promise<Mount[]> {
  const resolved = await Promise.all([...new Set(paths)].map(path => resolveLinks(path, host)))
  return resolved.flatMap(({ real, links }): Mount[] => [
    { kind, path: real },
    ...links.map(link => ({ kind: 'link', ...link }) as const),
  ])
}
