import type { Host } from '../../model/host.ts'
import type { FolderWatch } from '../../model/host-files.ts'

/** No more changes for this long end a group of changes: an editor and git write several files at once. */
const QUIET_MS = 100
/** A group of changes that does not end is reported after this time. */
const LONGEST_MS = 1000

/** What a session waits for: a key, or a group of changed paths. */
export type WatchEvent =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'changes'; readonly paths: ReadonlySet<string> }

/** Keys and changes of files, one after another. Keys come first. */
export class WatchEvents {
  readonly #host: Host
  readonly #watch: FolderWatch
  readonly #stopKeys: () => void
  readonly #keys: string[] = []
  #folders: ReadonlySet<string> = new Set()
  #paths = new Set<string>()
  #firstChange = 0
  #isDue = false
  #cancel = () => {}
  #wake = () => {}

  constructor(host: Host, onError: (error: Error) => void) {
    this.#host = host
    this.#watch = host.files.watch([], { onChange: path => this.#changed(path), onError })
    this.#stopKeys = host.terminal.keys(key => {
      this.#keys.push(key)
      this.#wake()
    })
  }

  /** The number of watched folders. */
  get size(): number {
    return this.#folders.size
  }

  /** Replaces the watched folders. Changes in a new one before now are not reported. */
  watch(folders: ReadonlySet<string>): void {
    this.#folders = folders
    this.#watch.update([...folders])
  }

  /** The next event; undefined if the signal aborts first. */
  async next(signal: AbortSignal): Promise<WatchEvent | undefined> {
    for (;;) {
      if (signal.aborted) return undefined
      const key = this.#keys.shift()
      if (key !== undefined) return { type: 'key', key }
      if (this.#isDue) return { type: 'changes', paths: this.#takeChanges() }
      await this.#waitForAny(signal)
    }
  }

  /** Waits for the end of a group of changes that has begun. Returns its paths; none if there was no change. */
  async settle(signal: AbortSignal): Promise<ReadonlySet<string>> {
    while (this.#paths.size > 0 && !this.#isDue && !signal.aborted) await this.#waitForAny(signal)
    return this.#takeChanges()
  }

  #waitForAny(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      this.#wake = () => {
        signal.removeEventListener('abort', this.#wake)
        resolve()
      }
      signal.addEventListener('abort', this.#wake)
    })
  }

  close(): void {
    this.#cancel()
    this.#stopKeys()
    this.#watch.close()
  }

  #takeChanges(): ReadonlySet<string> {
    const paths = this.#paths
    this.#cancel()
    this.#isDue = false
    this.#paths = new Set()
    return paths
  }

  #changed(path: string): void {
    const now = this.#host.clock.elapsed()
    if (this.#paths.size === 0) this.#firstChange = now
    this.#paths.add(path)
    this.#cancel()
    const wait = Math.max(0, Math.min(QUIET_MS, this.#firstChange + LONGEST_MS - now))
    this.#cancel = this.#host.clock.setTimer(wait, () => {
      this.#isDue = true
      this.#wake()
    })
  }
}
