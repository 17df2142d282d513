import { dirname } from 'node:path'
import type { Host } from '../model/host.ts'
import { gitFiles } from './git-files.ts'

/** Fresh copies of folders, for attempts to work in. */
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

  /** Asked for once; what went wrong then may go well the next time. */
  #filesOf(folder: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
    let files = this.#files.get(folder)
    if (!files) {
      files = gitFiles(folder, this.#host, signal).then(names =>
        names?.filter(name => !hasOtherAttempts(dirname(name))),
      )
      this.#files.set(folder, files)
      files.catch(() => this.#files.delete(folder))
    }
    return files
  }
}

/** What earlier and other attempts have answered is nothing to look at. */
const OTHER_ATTEMPTS = /(?:^|[\\/])\.assay[\\/](?:runs|cache)(?:[\\/]|$)/

function hasOtherAttempts(folder: string): boolean {
  return OTHER_ATTEMPTS.test(folder)
}
