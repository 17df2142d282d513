import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the project: fuzzers also run from a bundle elsewhere in it. */
export const ROOT = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'tests/corpus')) ? folder : rootAbove(dirname(folder))
}
