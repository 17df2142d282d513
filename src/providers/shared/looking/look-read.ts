import { cutText } from '../../../lib/cut-text.ts'
import { plural } from '../../../lib/plural.ts'
import { shown } from '../../../lib/shown.ts'
import type { Host } from '../../../model/host.ts'
import { fileText, linesOf, MOST_BYTES } from './look-file-text.ts'
import { CannotLook, cannot, type Found, findInside } from './look-inside.ts'
import { LookOutput, MOST_CHARACTERS } from './look-output.ts'

export interface Wanted {
  readonly path: string
  /** The first line, from 1. */
  readonly offset?: number | undefined
  /** How many lines; all, where nothing or 0 is said. */
  readonly limit?: number | undefined
}

/** The text of a file in the folder, or the lines of it that are wanted, as many as are shown at once. */
export async function readText(folder: string, { path, offset = 1, limit }: Wanted, host: Host): Promise<string> {
  const found = await findInside(folder, path, host)
  if (found.stat.kind === 'folder') throw new CannotLook(`${shown(path)} is a folder, and no file: list it`)
  if (found.stat.kind === 'other') throw new CannotLook(`${shown(path)} is neither a file nor a folder`)
  const file = await fileText(found.path, host).catch(error => cannot(path, error))
  if (!file) throw new CannotLook(`${shown(path)} is not a text file (${plural(found.stat.size, 'byte')})`)
  const lines = linesOf(file.text)
  const first = Math.max(1, offset)
  const wanted = lines.slice(first - 1, limit ? first - 1 + limit : undefined)
  const output = new LookOutput()
  for (const line of wanted) if (!output.add(line)) break
  const [long = ''] = output.count === 0 ? wanted : []
  if (long !== '') output.add(cutText(long, MOST_CHARACTERS - 2))
  return output.with([
    ...(long === '' ? [] : [`line ${first} is ${long.length} characters long, and cut`]),
    ...restNotes({ lines, first, count: output.count, isWhole: file.isWhole }, found),
  ])
}

interface Part {
  readonly lines: readonly string[]
  readonly first: number
  readonly count: number
  readonly isWhole: boolean
}

/** What there is besides what is shown. */
function restNotes({ lines, first, count, isWhole }: Part, { stat }: Found): string[] {
  const last = first + count - 1
  const range = count === 1 ? `line ${first}` : `lines ${first} to ${last}`
  if (count > 0 && last < lines.length) return [`${range} of ${lines.length}; go on with offset ${last + 1}`]
  if (!isWhole) return [`only the first ${MOST_BYTES} bytes of ${stat.size} can be read`]
  if (lines.length === 0) return ['the file is empty']
  return count === 0 ? [`the file has ${plural(lines.length, 'line')}`] : []
}
