import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import type { CopiedFile } from '../model/host-files.ts'
import { EMPTY_WORKSPACE } from '../model/workspace.ts'
import { copiedFiles, hasOtherAttempts } from '../plan/workspace-files.ts'
import { Originals } from './changes/originals.ts'

/** Creates folders for attempts to work in: copies, or empty repositories. */
export class Workspaces {
  readonly #host: Host
  readonly #files = new Map<string, Promise<readonly string[] | undefined>>()
  readonly #originals = new Map<string, Map<string, CopiedFile>>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Copies a folder and adds the copied files to `originals`, or creates an empty repository. */
  async create(folder: string, signal?: AbortSignal, originals?: Originals): Promise<string> {
    if (folder === EMPTY_WORKSPACE) return this.#inNewFolder(createRepository)
    const onCopied = (file: CopiedFile) => originals?.add(file)
    const options = { files: await this.#filesOf(folder, signal), isLeftOut: hasOtherAttempts, onCopied, signal }
    return this.#inNewFolder((copy, host) => host.files.copyFolder(folder, copy, options))
  }

  /** Creates a folder and fills it; removes it if that fails. */
  async #inNewFolder(fill: (folder: string, host: Host) => Promise<void>): Promise<string> {
    const folder = await this.#host.files.makeTemporaryFolder()
    await fill(folder, this.#host).catch(async error => {
      await this.#host.files.remove(folder).catch(() => {})
      throw error
    })
    return folder
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

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'

/** Makes a folder an empty repository. Does not start Git: it may not be installed, and its templates belong to the user. */
async function createRepository(folder: string, { files }: Host): Promise<void> {
  const git = join(folder, '.git')
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await files.makeFolder(join(git, name))
  await files.writeNew(join(git, 'config'), CONFIG)
  await files.writeNew(join(git, 'HEAD'), 'ref: refs/heads/main\n')
}
