import type { Host } from '../model/host.ts'
import type { CopiedFile } from '../model/host-files.ts'
import { copiedFiles, hasOtherAttempts } from '../plan/workspace-files.ts'
import { Originals } from './changes/originals.ts'

/** Creates copies of folders for attempts to work in. */
export class Workspaces {
  readonly #host: Host
  readonly #files = new Map<string, Promise<readonly string[] | undefined>>()
  readonly #originals = new Map<string, Map<string, CopiedFile>>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Copies a folder; adds the copied files to `originals`. */
  async copyOf(folder: string, signal?: AbortSignal, originals?: Originals): Promise<string> {
    const onCopied = (file: CopiedFile) => originals?.add(file)
    const options = { files: await this.#filesOf(folder, signal), isLeftOut: hasOtherAttempts, onCopied, signal }
    const copy = await this.#host.files.makeTemporaryFolder()
    await this.#host.files.copyFolder(folder, copy, options).catch(async error => {
      await this.#host.files.remove(copy).catch(() => {})
      throw error
    })
    return copy
  }

  /** Collects the originals of a copy. */
  originalsOf(folder: string): Originals {
    const shared = this.#originals.get(folder) ?? new Map<string, CopiedFile>()
    this.#originals.set(folder, shared)
    return new Originals(shared)
  }

  /** Lists the files once; an error is not cached. */
  #filesOf(folder: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
    let files = this.#files.get(folder)
    if (!files) {
      files = copiedFiles(folder, this.#host, signal)
      this.#files.set(folder, files)
      files.catch(() => this.#files.delete(folder))
    }
    return files
  }
}
