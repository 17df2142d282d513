import type { Host } from '../../model/host.ts'
import type { FileContent, FolderTree } from '../../model/host-files.ts'
import { byDepth, inBatches } from './batches.ts'
import { type Originals, sameFacts } from './originals.ts'

/** Most bytes of a file that are kept or compared as text. */
export const LARGEST_TEXT_BYTES = 4 * 1024 * 1024

/** Most bytes of contents that a snapshot keeps in memory. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024

/** Takes the state of a workspace before its agent. `untouched`: its files before setup. */
export async function takeSnapshot(
  folder: string,
  originals: Originals,
  host: Host,
  { untouched, signal }: { readonly untouched?: FilesByPath | undefined; readonly signal: AbortSignal },
): Promise<Snapshot> {
  const tree = await host.files.readTree(folder, signal)
  requireOpen(tree)
  const isOriginal = (path: string) => {
    const facts = tree.files.get(path)
    const copied = untouched?.get(path)
    if (!facts || (untouched && !(copied && sameFacts(copied, facts)))) return false
    return originals.get(path)?.facts.size === facts.size
  }
  const racy = await tree.settle()
  const unknown = new Set([...[...tree.files.keys()].filter(path => !isOriginal(path)), ...racy])
  const kept = await contentsOf([...unknown].sort(byDepth), tree, signal)
  return new Snapshot(tree, originals, kept, new Set(racy), host)
}

/** Lists the files of a workspace whose facts the next write changes. */
export async function settledFiles(folder: string, host: Host, signal: AbortSignal): Promise<FilesByPath> {
  const tree = await host.files.readTree(folder, signal)
  const racy = new Set(await tree.settle())
  return racy.size === 0 ? tree.files : new Map([...tree.files].filter(([path]) => !racy.has(path)))
}

type FilesByPath = FolderTree['files']

/** The state of a workspace: the facts of all files, and the contents of those that have no original. */
export class Snapshot {
  readonly tree: FolderTree
  readonly #originals: Originals
  readonly #kept: ReadonlyMap<string, FileContent>
  readonly #racy: ReadonlySet<string>
  readonly #host: Host

  constructor(
    tree: FolderTree,
    originals: Originals,
    kept: ReadonlyMap<string, FileContent>,
    racy: ReadonlySet<string>,
    host: Host,
  ) {
    this.tree = tree
    this.#originals = originals
    this.#kept = kept
    this.#racy = racy
    this.#host = host
  }

  /** Whether a file is certainly what it was, without reading it. */
  isUnchanged(path: string, now: FolderTree): boolean {
    const before = this.tree.files.get(path)
    const after = now.files.get(path)
    return before !== undefined && after !== undefined && sameFacts(before, after) && !this.#racy.has(path)
  }

  /** The content that a file had; undefined if it is not known. */
  async read(path: string, most: number): Promise<FileContent | undefined> {
    const kept = this.#kept.get(path)
    if (kept) return kept
    return this.tree.files.has(path) ? this.#originals.read(path, most, this.#host) : undefined
  }
}

/** Without the files of a folder, no statement about changes is possible. */
export function requireOpen({ closed: [first] }: FolderTree): void {
  if (first !== undefined) throw new Error(`the folder ${first} of the workspace is not readable`)
}

/** Reads files: all hashes, and contents up to a limit. */
async function contentsOf(
  paths: readonly string[],
  tree: FolderTree,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileContent>> {
  const contents = new Map<string, FileContent>()
  let left = MOST_KEPT_BYTES
  await inBatches(paths, async batch => {
    const read = await Promise.all(batch.map(path => tree.read(path, Math.min(left, LARGEST_TEXT_BYTES), signal)))
    for (const [index, content] of read.entries()) {
      if (!content) continue
      const size = content.bytes?.length ?? 0
      contents.set(batch[index] ?? '', size > left ? { ...content, bytes: undefined } : content)
      if (size <= left) left -= size
    }
  })
  return contents
}
