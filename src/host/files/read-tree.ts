import { lstatSync, readdirSync, readlinkSync, realpathSync, utimesSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileContent, FileFacts, FolderTree } from '../../model/host-files.ts'
import { sleep, yieldToEvents } from '../clock.ts'
import { factsOf } from './file-facts.ts'
import { below, type FileName, nameOf, type RawPath, shownPath } from './raw-path.ts'
import { readContent } from './read-content.ts'

/**
 * Lists the files and links below a folder. Synchronous calls are several times faster here; events are handled between
 * short steps.
 */
export async function readTree(folder: string, signal?: AbortSignal): Promise<FolderTree> {
  // The folder itself may have been replaced by a link, which is not followed.
  const tree = new Tree(join(await realpath(dirname(folder)), basename(folder)))
  await tree.fill(signal)
  return tree
}

/** The longest step in which no events are handled. */
const STEP_MS = 5

/** How long to wait for the clock of the file system, and between looks at it. */
const LONGEST_WAIT_MS = 2500
const LOOK_MS = 1

class Tree implements FolderTree {
  readonly files = new Map<string, FileFacts>()
  readonly links = new Map<string, string>()
  readonly #closed = new Set<string>()
  readonly #root: string
  /** Paths with names that are not UTF-8. */
  readonly #raw = new Map<string, RawPath>()

  constructor(root: string) {
    this.#root = root
  }

  get closed(): readonly string[] {
    return [...this.#closed].sort()
  }

  async fill(signal?: AbortSignal): Promise<void> {
    const open: RawPath[] = [this.#root]
    let breath = performance.now()
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      for (const name of this.#namesIn(folder)) {
        const path = below(folder, name)
        if (this.#add(path, folder) === 'folder' && name !== '.git') open.push(path)
        if (performance.now() - breath < STEP_MS) continue
        await yieldToEvents()
        signal?.throwIfAborted()
        breath = performance.now()
      }
    }
  }

  async read(path: string, most: number, signal?: AbortSignal): Promise<FileContent | undefined> {
    const place = this.#raw.get(path) ?? `${this.#root}/${path}`
    const content = await readContent(place, most, signal)
    // A folder above it may have been replaced by a link.
    const real = await realpath(place, 'buffer').catch(() => undefined)
    const stats = await lstat(place).catch(() => undefined)
    return real?.equals(Buffer.from(place)) && stats?.ino === content?.facts.inode ? content : undefined
  }

  async settle(): Promise<readonly string[]> {
    let newest = 0
    for (const { changed_ms } of this.files.values()) newest = Math.max(newest, changed_ms)
    const end = performance.now() + LONGEST_WAIT_MS
    let time = this.#time()
    for (; time <= newest && performance.now() < end; time = this.#time()) await sleep(LOOK_MS)
    return time > newest ? [] : [...this.files].flatMap(([path, { changed_ms }]) => (changed_ms < time ? [] : [path]))
  }

  /** The time of the file system, which a folder gets when its attributes are set. */
  #time(): number {
    const { atime, mtime } = lstatSync(this.#root)
    utimesSync(this.#root, atime, mtime)
    return lstatSync(this.#root).ctimeMs
  }

  /** The names in a folder; none if it was replaced or removed meanwhile. */
  #namesIn(folder: RawPath): FileName[] {
    try {
      const names = readdirSync(folder, 'buffer').map(nameOf)
      return realpathSync.native(folder, 'buffer').equals(Buffer.from(folder)) ? names : []
    } catch (error) {
      this.#skip(error as NodeJS.ErrnoException, folder)
      return []
    }
  }

  /** Adds a file or link; returns whether it is a folder instead. */
  #add(path: RawPath, folder: RawPath): 'folder' | undefined {
    try {
      const stats = lstatSync(path)
      if (stats.isDirectory()) return 'folder'
      const shown = shownPath(path, this.#root)
      if (stats.isFile()) this.files.set(shown, factsOf(stats))
      if (stats.isSymbolicLink()) this.links.set(shown, readlinkSync(path))
      if (typeof path !== 'string') this.#raw.set(shown, path)
    } catch (error) {
      this.#skip(error as NodeJS.ErrnoException, folder)
    }
    return undefined
  }

  /** Skips what was removed meanwhile. */
  #skip({ code = '' }: NodeJS.ErrnoException, folder: RawPath): void {
    if (!GONE.includes(code)) this.#closed.add(shownPath(folder, this.#root) || '.')
  }
}

/** Codes of what vanished, or became something else. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL']
