import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, join } from 'node:path'
import type { FolderWatch, WatchListener } from '../../model/host-files.ts'
import { UserError } from '../../model/user-error.ts'

/** The interval in which folders are looked at that appeared, disappeared or were replaced. */
const LOOK_MS = 250

/** Watches folders, not what is below their folders, so that files that an editor replaces on saving are seen. */
export function watchFolders(folders: readonly string[], listener: WatchListener): FolderWatch {
  const watched = new Map<string, WatchedFolder>()
  const update = (wanted: readonly string[]) => {
    for (const [path, folder] of watched) {
      if (wanted.includes(path)) continue
      folder.close()
      watched.delete(path)
    }
    for (const path of wanted) if (!watched.has(path)) watched.set(path, new WatchedFolder(path, listener))
  }
  // The operating system tells nothing of a folder that is not there.
  const timer = setInterval(() => {
    for (const folder of [...watched.values()]) folder.look()
  }, LOOK_MS)
  update(folders)
  return {
    update,
    close() {
      clearInterval(timer)
      update([])
    },
  }
}

/** A folder that is wanted, with its watcher where it exists. */
class WatchedFolder {
  readonly #path: string
  readonly #listener: WatchListener
  #watcher: FSWatcher | undefined
  /** Distinguishes the folder from another one at the same path. */
  #identity: string | undefined
  /** The last problem that was reported, so that it is reported once. */
  #problem: string | undefined
  #isClosed = false

  constructor(path: string, listener: WatchListener) {
    this.#path = path
    this.#listener = listener
    this.#open(this.#readIdentity())
  }

  /** Follows a folder that appeared, disappeared or was replaced. */
  look(): void {
    if (this.#isClosed) return
    const identity = this.#readIdentity()
    if (identity === this.#identity && (identity === undefined || this.#watcher)) return
    const hadChanged = identity !== this.#identity
    this.#drop()
    this.#open(identity)
    // What happened before the new watcher was there is unknown.
    if (hadChanged || this.#watcher) this.#listener.onChange(this.#path)
  }

  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  #readIdentity(): string | undefined {
    try {
      const found = statSync(this.#path, { throwIfNoEntry: false })
      return found?.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : undefined
    } catch (error) {
      this.#report(error as NodeJS.ErrnoException)
      return undefined
    }
  }

  #open(identity: string | undefined): void {
    this.#identity = identity
    if (identity === undefined) return
    try {
      this.#watcher = watch(this.#path, (_, name) => this.#changed(name))
      this.#watcher.on('error', () => this.#drop())
      this.#problem = undefined
    } catch (error) {
      this.#report(error as NodeJS.ErrnoException)
    }
  }

  #changed(name: string | null): void {
    if (this.#isClosed) return
    // A folder reports its own end under its own name. A new one in its place may have the same number.
    if (name === basename(this.#path)) this.#drop()
    this.#listener.onChange(name === null ? this.#path : join(this.#path, name))
  }

  #drop(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #report(error: NodeJS.ErrnoException): void {
    // The folder may be gone again.
    if (this.#isClosed || error.code === 'ENOENT' || this.#problem === error.code) return
    this.#problem = error.code
    this.#listener.onError(watchError(this.#path, error))
  }
}

/** What to do about each limit of the operating system. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'Raise the limit on watched folders: sudo sysctl fs.inotify.max_user_watches=524288',
  EMFILE:
    'Raise the limit on watchers or on open files: sudo sysctl fs.inotify.max_user_instances=512, or ulimit -n 4096',
}

function watchError(path: string, { code = '', message }: NodeJS.ErrnoException): UserError {
  return new UserError(`Cannot watch ${path}: ${message}`, LIMITS[code])
}
