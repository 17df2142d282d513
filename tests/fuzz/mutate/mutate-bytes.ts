import type { Random } from '../random.ts'

/** Bytes with one thing wrong, as disks and networks do it. */
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
      // A block of the disk that was never written.
      return changed.fill(0, at, at + random.pick([1, 16, 512]))
    default:
      return changed.slice(0, at)
  }
}
