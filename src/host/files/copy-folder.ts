import { constants, type Stats } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { CopyOptions } from '../../model/host-files.ts'
import { factsOf, isOlder } from './file-facts.ts'
import { isTemporary } from './temporary-folders.ts'

/** Copies a folder: the given files, or everything except `.git`. The copy shares nothing with the original. */
export async function copyFolder(from: string, to: string, { files, ...options }: CopyOptions = {}): Promise<void> {
  const root = await realpath(from)
  await mkdir(to, { recursive: true })
  const copy = new Copy(to, (await lstat(to)).ctimeMs, options)
  if (files) await copy.files(root, to, files)
  else await copy.everything(root, to, [root])
}

/** Copies a file, following links, and creates parent folders. */
export async function copyFileTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to, constants.COPYFILE_FICLONE)
}

/** The folder being copied, followed by the folders whose links led to it. */
type Roots = readonly [string, ...string[]]

/** The number of concurrent file operations. */
const AT_ONCE = 16

/** The state of copying one folder. */
class Copy {
  readonly #to: string
  /** The time of the file system when copying began. */
  readonly #begun: number
  readonly #options: CopyOptions
  /** Where folders outside, reached through links, are in the copy. */
  readonly #followed = new Map<string, string>()
  readonly #operations = new Semaphore(AT_ONCE)
  #hasFailed = false

  constructor(to: string, begun: number, options: CopyOptions) {
    this.#to = to
    this.#begun = begun
    this.#options = options
  }

  async files(root: string, to: string, files: readonly string[]): Promise<void> {
    const links = new Map<string, Promise<boolean>>()
    await this.#each(files, async file => {
      // A link may have replaced a folder that git still lists: the link itself is copied.
      if (await isBehindLink(root, file, links)) return
      await mkdir(dirname(join(to, file)), { recursive: true })
      await this.#entry(join(root, file), join(to, file), [root])
    })
  }

  async everything(from: string, to: string, roots: Roots): Promise<void> {
    const names = await this.#operations.run(() => readdir(from))
    await this.#each(names, async name => {
      if (name !== '.git') await this.#entry(join(from, name), join(to, name), roots)
    })
  }

  async #entry(from: string, to: string, roots: Roots): Promise<void> {
    const { signal, isLeftOut } = this.#options
    signal?.throwIfAborted()
    const entry = await this.#operations.run(() => lstat(from).catch(error => absent(error, from)))
    if (!entry || this.#hasFailed) return
    if (entry.isSymbolicLink()) return this.#link(from, to, roots)
    if (entry.isFile()) return this.#file(from, to, entry)
    if (entry.isDirectory() && !isLeftOut?.(from) && !(await isTemporary(from))) await this.#folder(from, to, roots)
  }

  async #file(from: string, to: string, stats: Stats): Promise<void> {
    await this.#operations.run(() => copyFile(from, to, constants.COPYFILE_FICLONE))
    // A file that was written just now could be written again without a change of its facts.
    if (!isOlder(stats, this.#begun)) return
    this.#options.onCopied?.({ path: relative(this.#to, to).replaceAll(sep, '/'), from, facts: factsOf(stats) })
  }

  /** Processes all names; starts no more after a failure, and throws it. */
  async #each(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
    const done = await Promise.allSettled(
      names.map(async name => {
        if (this.#hasFailed) return
        await work(name).catch(error => {
          this.#hasFailed = true
          throw error
        })
      }),
    )
    const failed = done.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
  }

  async #folder(from: string, to: string, roots: Roots): Promise<void> {
    await mkdir(to, { recursive: true })
    await this.everything(from, to, roots)
  }

  /** Keeps a link that stays inside the folder, and replaces one that leads out by a copy of its target. */
  async #link(from: string, to: string, roots: Roots): Promise<void> {
    const [root] = roots
    const target = await realpath(from).catch(() => undefined)
    const wanted = target ?? resolve(await realpath(dirname(from)), await readlink(from))
    if (isBelow(wanted, root)) return symlink(relative(await realpath(dirname(from)), wanted) || '.', to)
    // Skip a dangling link, which could later lead out, and a link to a parent, which would recurse without end.
    if (target === undefined || roots.some(root => isBelow(root, target))) return
    const kind = await stat(target)
    if (kind.isFile()) return copyFile(target, to, constants.COPYFILE_FICLONE)
    if (kind.isDirectory()) await this.#outside(target, to, roots)
  }

  /** Copies a folder outside once, however many links lead to it. */
  async #outside(target: string, to: string, roots: Roots): Promise<void> {
    const known = this.#followed.get(target)
    if (known !== undefined) return symlink(relative(dirname(to), known), to)
    this.#followed.set(target, to)
    await this.#folder(target, to, [target, ...roots])
  }
}

/** Whether a folder above a file is a link. */
function isBehindLink(root: string, file: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  const folder = dirname(file)
  if (folder === '.') return Promise.resolve(false)
  let isBehind = known.get(folder)
  if (!isBehind) {
    isBehind = isLink(join(root, folder)).then(isOne => isOne || isBehindLink(root, folder, known))
    known.set(folder, isBehind)
  }
  return isBehind
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(error => absent(error, path)))?.isSymbolicLink() ?? false
}

/** Ignores files that no longer exist, such as those that git still lists; throws any other error. */
function absent(error: NodeJS.ErrnoException, path: string): undefined {
  if (path.includes('\ufffd')) throw new Error(`${path} has a name that is not UTF-8`)
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
