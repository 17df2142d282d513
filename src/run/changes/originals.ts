import type { Host } from '../../model/host.ts'
import type { CopiedFile, FileContent, FileFacts } from '../../model/host-files.ts'

/** The files that a workspace was copied from, by path in the copy. Copies of one folder share what is the same. */
export class Originals {
  readonly #shared: Map<string, CopiedFile>
  readonly #own = new Map<string, CopiedFile>()

  constructor(shared: Map<string, CopiedFile>) {
    this.#shared = shared
  }

  add(file: CopiedFile): void {
    const known = this.#shared.get(file.path)
    if (!known) this.#shared.set(file.path, file)
    else if (known.from !== file.from || !sameFacts(known.facts, file.facts)) this.#own.set(file.path, file)
  }

  get(path: string): CopiedFile | undefined {
    return this.#own.get(path) ?? this.#shared.get(path)
  }

  /** Reads an original; undefined if it was changed since it was copied. */
  async read(path: string, most: number, host: Host): Promise<FileContent | undefined> {
    const original = this.get(path)
    const content = original && (await host.files.readContent(original.from, most))
    return content && sameFacts(content.facts, original.facts) ? content : undefined
  }
}

export function sameFacts(a: FileFacts, b: FileFacts): boolean {
  return a.inode === b.inode && a.size === b.size && a.changed_ms === b.changed_ms
}
