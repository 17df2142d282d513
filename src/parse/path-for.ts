import { dirname, relative, sep } from 'node:path'
import type { Files } from './files.ts'

/** How a file writes the path of a place: as it is written elsewhere where that leads there, else relative to its folder. */
export async function pathFor(to: string, place: string, written: string, files: Files): Promise<string> {
  if ((await files.resolve(written, to)) === place) return written
  return relative(dirname(to), place).replaceAll(sep, '/') || '.'
}
