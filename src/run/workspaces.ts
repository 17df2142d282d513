import type { Host } from '../model/host.ts'

/** Fresh copies of folders, for attempts to work in. */
export class Workspaces {
  readonly #host: Host
  readonly #files = new Map<string, Promise<readonly string[] | undefined>>()

  constructor(host: Host) {
    this.#host = host
  }

  async copyOf(folder: string): Promise<string> {
    let files = this.#files.get(folder)
    if (!files) {
      files = filesOfGit(folder, this.#host)
      this.#files.set(folder, files)
    }
    const copy = await this.#host.makeTemporaryFolder()
    await this.#host.copyFolder(folder, copy, await files)
    return copy
  }
}

const MOST_NAMES_BYTES = 100_000_000

/** The files of a folder without those that git ignores; undefined where git does not know the folder. */
async function filesOfGit(folder: string, host: Host): Promise<readonly string[] | undefined> {
  const command = ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { signal } = new AbortController()
  const end = await host
    .run({ command, cwd: folder, maxOutputBytes: MOST_NAMES_BYTES, signal })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
  const names = end?.code === 0 && !end.tooLarge ? end.stdout.split('\0').filter(name => name !== '') : []
  return names.length > 0 ? [...new Set(names)] : undefined
}
