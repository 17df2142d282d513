import { sha256 } from '../../lib/sha256.ts'
import { type FileChange, type Fingerprint, LARGEST_DIFFS_BYTES } from '../../model/changes.ts'
import type { Host } from '../../model/host.ts'
import type { FileContent, FolderTree } from '../../model/host-files.ts'
import { treeHash } from '../../model/tree-hash.ts'
import { byDepth, inBatches } from './batches.ts'
import { type DiffPart, diffOf, EMPTY } from './file-diff.ts'
import { LARGEST_TEXT_BYTES, requireOpen, type Snapshot } from './snapshot.ts'

/** What an agent did in a folder. */
export interface FolderChanges {
  /** The files and links that were created, modified or deleted, sorted by path. */
  readonly changes: FileChange[]
  /** Hash of the files that are there now, to tell later whether they are as the agent left them. */
  readonly workspace_hash: string
}

/** Finds what changed in a folder since a snapshot. */
export async function findChanges(
  before: Snapshot,
  folder: string,
  host: Host,
  signal: AbortSignal,
): Promise<FolderChanges> {
  const now = await host.files.readTree(folder, signal)
  requireOpen(now)
  const changes: FileChange[] = []
  let left = LARGEST_DIFFS_BYTES
  await inBatches(candidates(before, now).sort(byDepth), async batch => {
    const most = left > 0 ? LARGEST_TEXT_BYTES : 0
    const pairs = await Promise.all(batch.map(path => pairOf(path, before, now, most, signal)))
    for (const pair of pairs) {
      const change = changeOf(pair, left)
      if (!change) continue
      changes.push(change)
      left -= Buffer.byteLength(change.diff ?? '')
    }
  })
  return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), workspace_hash: treeHash(now) }
}

/** Paths that may have changed. */
function candidates(before: Snapshot, now: FolderTree): string[] {
  const { files, links } = before.tree
  const paths = new Set<string>()
  for (const path of [...files.keys(), ...now.files.keys()]) if (!before.isUnchanged(path, now)) paths.add(path)
  for (const path of [...links.keys(), ...now.links.keys()])
    if (links.get(path) !== now.links.get(path)) paths.add(path)
  return [...paths]
}

/** A path before and after. */
interface Pair {
  readonly path: string
  readonly before: Side | undefined
  readonly after: Side | undefined
}

/** A file or link at one time. */
interface Side {
  readonly fingerprint: Fingerprint
  readonly content?: FileContent | undefined
}

async function pairOf(
  path: string,
  snapshot: Snapshot,
  now: FolderTree,
  most: number,
  signal: AbortSignal,
): Promise<Pair> {
  const [before, after] = await Promise.all([
    sideOf(path, snapshot.tree, () => snapshot.read(path, most)),
    sideOf(path, now, () => now.read(path, most, signal)),
  ])
  return { path, before, after }
}

async function sideOf(
  path: string,
  { files, links }: FolderTree,
  read: () => Promise<FileContent | undefined>,
): Promise<Side | undefined> {
  const link = links.get(path)
  if (link !== undefined) return { fingerprint: { size: Buffer.byteLength(link), hash: sha256(link), link } }
  const facts = files.get(path)
  if (!facts) return undefined
  const content = await read()
  if (!content) return { fingerprint: { size: facts.size } }
  return { fingerprint: { size: content.facts.size, hash: content.hash }, content }
}

/** Returns undefined where nothing changed. */
function changeOf({ path, before, after }: Pair, left: number): FileChange | undefined {
  const state = before && after ? 'modified' : after ? 'created' : 'deleted'
  if (state === 'modified' && isSame(before, after)) return undefined
  const sides = { before: before?.fingerprint, after: after?.fingerprint }
  const known = Object.fromEntries(Object.entries(sides).filter(([, side]) => side))
  return { path, state, ...known, ...diffOf(partOf(before), partOf(after), left) }
}

function isSame(before: Side | undefined, after: Side | undefined): boolean {
  const [a, b] = [before?.fingerprint, after?.fingerprint]
  return a?.hash !== undefined && a.hash === b?.hash && (a.link === undefined) === (b.link === undefined)
}

/** The text of a side: empty if there was no file. */
function partOf(side: Side | undefined): DiffPart {
  if (!side) return { bytes: EMPTY }
  const { fingerprint, content } = side
  if (fingerprint.link !== undefined) return { isLink: true }
  return content ? { bytes: content.bytes } : { isUnreadable: true }
}
