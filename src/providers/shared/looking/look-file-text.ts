import type { Host } from '../../../model/host.ts'

/** How much of a file is read. */
export const MOST_BYTES = 5_000_000

export interface FileText {
  readonly text: string
  readonly isWhole: boolean
}

/** The text of a file, or of its beginning; undefined for one that is none. */
export async function fileText(path: string, host: Host): Promise<FileText | undefined> {
  const bytes = await host.files.read(path, MOST_BYTES + 1)
  const isWhole = bytes.length <= MOST_BYTES
  if (bytes.includes(0)) return undefined
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    // The end may be in the middle of a character.
    return { text: decoder.decode(bytes.subarray(0, MOST_BYTES), { stream: !isWhole }), isWhole }
  } catch {
    return undefined
  }
}

/** Without an empty one behind the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
