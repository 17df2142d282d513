import type { Random } from '../random.ts'

/** Damages bytes as a disk or a network would. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes
  const changed = Uint8Array.from(bytes)
  const at = random.below(bytes.length)
  switch (random.below(4)) {
    case 0:
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
      return changed
    case 1:
      changed[at] = random.below(256)
      return changed
    case 2:
      // A disk block that was never written.
      return changed.fill(0, at, at + random.pick([1, 16, 512]))
    default:
      return changed.slice(0, at)
  }
}
