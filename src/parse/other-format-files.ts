import { relative } from 'node:path'
import { groupBy } from '../lib/group-by.ts'
import { onOneLine } from '../lib/printable.ts'
import type { OtherFormat } from '../spec/other-formats.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

/** A file that is a suite of another format. */
export interface OtherFormatFile {
  readonly format: OtherFormat
  readonly at: SourceNode
}

const HINT =
  'write each prompt with its values as the `input` of a test, its assertions as `assert`, and the providers as targets in targets.yaml; `assay init` writes a suite to start from'

/** Reports files of other formats: once for each format, at the first of its files. */
export function reportOtherFormats(files: readonly OtherFormatFile[], cwd: string, mistakes: Mistakes): void {
  for (const [name, [first, ...others]] of groupBy(files, ({ format }) => format.name)) {
    const { at, format } = first
    const message = `this is ${name}, which Assay does not read${othersText(others, cwd)}`
    const place = format.key === undefined ? { at } : ({ at: at.child(format.key), part: 'key' } as const)
    mistakes.add({ code: 'other-format', ...place, message, hint: HINT })
  }
}

const MOST_NAMED = 3

function othersText(files: readonly OtherFormatFile[], cwd: string): string {
  if (files.length === 0) return ''
  const names = files.slice(0, MOST_NAMED).map(({ at }) => onOneLine(relative(cwd, at.file)))
  const rest = files.length - names.length
  const have = files.length === 1 ? '1 more file has' : `${files.length} more files have`
  return `; ${have} the same format: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
