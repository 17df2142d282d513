import { sha256 } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'
import type { TargetContents } from '../../model/plan.ts'
import { changedFiles } from '../../plan/file-hashes.ts'

/** A file that an agent wrote: how it counts, and how the agent left it. */
interface WrittenFile {
  readonly counts_as: string
  readonly left: string
}

/**
 * Files of targets that agents write to while they run. They count as they were before, so that no run causes the next
 * one, until they are edited between two runs. A file that an earlier run left alone is edited by the user.
 */
export class WrittenFiles {
  readonly #host: Host
  readonly #written = new Map<string, WrittenFile>()
  readonly #unwritten = new Set<string>()

  constructor(host: Host) {
    this.#host = host
  }

  has(path: string): boolean {
    return this.#written.has(path)
  }

  /** Forgets all files: each counts as it is now. */
  clear(): void {
    this.#written.clear()
  }

  /** Hashes that count in place of the current ones, by path. */
  async before(): Promise<Map<string, string>> {
    const before = new Map<string, string>()
    for (const [path, { counts_as, left }] of this.#written) {
      if ((await this.#hashOf(path)) === left) before.set(path, counts_as)
      else this.#written.delete(path)
    }
    return before
  }

  /**
   * The same while a run goes on: each file that its agents may write counts as before the run, changed or not yet. An edit
   * of a program after this is a change of its own.
   */
  async beforeDuring(contents: TargetContents): Promise<Map<string, string>> {
    const { programs } = await changedFiles(contents, this.#host)
    const edited = new Set([...programs, ...this.#unwritten])
    return new Map([...hashesOf(contents)].filter(([path]) => !edited.has(path)))
  }

  /** Notes which files a finished run has changed. Returns those that are new among them. */
  async afterRun(contents: TargetContents, { countsEdits }: { readonly countsEdits: boolean }): Promise<string[]> {
    const { data } = await changedFiles(contents, this.#host)
    const found: string[] = []
    for (const [path, counts_as] of hashesOf(contents)) {
      if (!data.includes(path)) this.#unwritten.add(path)
      else if (!countsEdits || !this.#unwritten.has(path)) {
        if (!this.has(path)) found.push(path)
        this.#unwritten.delete(path)
        this.#written.set(path, { counts_as, left: await this.#hashOf(path) })
      }
    }
    return found
  }

  async #hashOf(path: string): Promise<string> {
    return this.#host.files.read(path).then(sha256, () => 'unreadable')
  }
}

function hashesOf(contents: TargetContents): Map<string, string> {
  return new Map([...contents.values()].flatMap(files => files.map(({ path, hash }) => [path, hash] as const)))
}
