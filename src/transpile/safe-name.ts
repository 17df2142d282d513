import { isReservedName } from '../lib/paths.ts'

const LONGEST = 50

/** Makes a file name that is valid on every file system, not hidden, and not an option. `empty`: for a text without letters. */
export function safeName(text: string, empty: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  const short =
    [...plain]
      .slice(0, LONGEST)
      .join('')
      .replace(/[.-]+$/, '') || empty
  return isReservedName(short) ? `_${short}` : short
}

/** Gives names that differ on case-insensitive file systems too: of two that are the same, the second gets a number. */
export class UniqueNames {
  readonly #taken: Set<string>

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved)
  }

  take(text: string, empty: string): string {
    const name = safeName(text, empty)
    let free = name
    for (let next = 2; this.#taken.has(free.toLowerCase()); next++) free = `${name}-${next}`
    this.#taken.add(free.toLowerCase())
    return free
  }
}
