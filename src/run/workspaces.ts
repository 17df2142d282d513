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

/** Whatever the configuration of a repository says, no program of it is run to look at its files. */
const LIST_FILES = 'git -c core.fsmonitor=false ls-files -z --cached --others --exclude-standard'.split(' ')

/** Git sets these for its hooks, in which a run may have been started: they speak of another folder. */
const OTHER_REPOSITORY = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
}

/** The files of a folder without those that git ignores; undefined where git does not know the folder. */
async function filesOfGit(folder: string, host: Host): Promise<readonly string[] | undefined> {
  const { signal } = new AbortController()
  const end = await host
    .run({ command: LIST_FILES, cwd: folder, env: OTHER_REPOSITORY, maxOutputBytes: MOST_NAMES_BYTES, signal })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
  const names = end?.code === 0 && !end.tooLarge ? end.stdout.split('\0').filter(name => name !== '') : []
  return names.length > 0 ? [...new Set(names)] : undefined
}
