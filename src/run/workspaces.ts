import { join, sep } from 'node:path'
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
    let files = this.#files.get(folder)
    if (!files) {
      files = gitFiles(folder, this.#host, signal)
      this.#files.set(folder, files)
    }
    const options = { files: await files, isLeftOut: hasOtherAttempts, signal }
    const copy = await this.#host.makeTemporaryFolder()
    await this.#host.copyFolder(folder, copy, options).catch(async error => {
      await this.#host.remove(copy).catch(() => {})
      throw error
    })
    return copy
  }
}

/** What earlier and other attempts have answered is nothing to look at. */
const OTHER_ATTEMPTS = ['runs', 'cache'].map(name => join(sep, '.assay', name))

function hasOtherAttempts(path: string): boolean {
  return OTHER_ATTEMPTS.some(end => path.endsWith(end))
}
