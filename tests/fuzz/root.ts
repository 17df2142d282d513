import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The project folder, also when fuzzers run from a bundle in a subfolder. */
export const ROOT = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'tests/corpus')) ? folder : rootAbove(dirname(folder))
}
