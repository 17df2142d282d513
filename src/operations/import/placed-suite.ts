import { basename, extname } from 'node:path'
import type { ImportedSuite } from '../../import/format.ts'

/** An imported suite, its source, and the folder that it is written to. */
export interface PlacedSuite extends ImportedSuite {
  readonly output: string
  readonly source: string
}

/** The part of the file name of a suite that is that of its source. */
export function stemOf(source: string): string {
  return basename(source, extname(source)).replace(/\.eval$/i, '')
}
