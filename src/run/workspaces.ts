import type { Host } from '../model/host.ts'
import { copiedFiles, hasOtherAttempts } from '../plan/workspace-files.ts'

/** Creates copies of folders for attempts to work in. */
export class Workspaces {
  readonly #host: Host
  readonly #files = new Map<string, Promise<readonly string[] | undefined>>()

  constructor(host: Host) {
    this.#host = host
  }

  async copyOf(folder: string, signal?: AbortSignal): Promise<string> {
    const options = { files: await this.#filesOf(folder, signal), isLeftOut: hasOtherAttempts, signal }
    const copy = await this.#host.files.makeTemporaryFolder()
    await this.#host.files.copyFolder(folder, copy, options).catch(async error => {
      await this.#host.files.remove(copy).catch(() => {})
      throw error
    })
    return copy
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
