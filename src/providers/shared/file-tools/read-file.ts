import { plural } from '../../../lib/text/format.ts'
import { quoteCode, truncate } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import { type FolderItem, resolveInside, ToolError, throwToolError } from './resolve-inside.ts'
import { MAX_CHARACTERS, ToolOutput } from './tool-output.ts'

export interface ReadRequest {
  readonly path: string
  /** The first line, from 1. */
  readonly offset?: number | undefined
  /** How many lines. Without it, or with 0: all. */
  readonly limit?: number | undefined
}

/** Returns the text of a file, or the requested lines, up to the size limit of one call. */
export async function readFile(folder: string, { path, offset = 1, limit }: ReadRequest, host: Host): Promise<string> {
  const found = await resolveInside(folder, path, host)
  if (found.stat.kind === 'folder') throw new ToolError(`${quoteCode(path)} is a folder, not a file: use \`list\``)
  if (found.stat.kind === 'other') throw new ToolError(`${quoteCode(path)} is neither a file nor a folder`)
  const file = await readTextFile(found.path, host).catch(error => throwToolError(path, error))
  if (!file) throw new ToolError(`${quoteCode(path)} is not a text file (${plural(found.stat.size, 'byte')})`)
  const lines = splitLines(file.text)
  const first = Math.max(1, offset)
  const wanted = lines.slice(first - 1, limit ? first - 1 + limit : undefined)
  const output = new ToolOutput()
  for (const line of wanted) if (!output.add(line)) break
  const [long = ''] = output.count === 0 ? wanted : []
  if (long !== '') output.add(truncate(long, MAX_CHARACTERS - 2))
  return output.with([
    ...(long === '' ? [] : [`line ${first} is cut: it has ${long.length} characters`]),
    ...remainderNotes({ lines, first, count: output.count, isWhole: file.isWhole }, found),
  ])
}

interface LineRange {
  readonly lines: readonly string[]
  readonly first: number
  readonly count: number
  readonly isWhole: boolean
}

/** Notes about the part of the file that is not returned. */
function remainderNotes({ lines, first, count, isWhole }: LineRange, { stat }: FolderItem): string[] {
  const last = first + count - 1
  const range = count === 1 ? `line ${first}` : `lines ${first} to ${last}`
  if (count > 0 && last < lines.length) return [`${range} of ${lines.length}; continue with offset ${last + 1}`]
  if (!isWhole) return [`only the first ${MAX_BYTES} bytes of ${stat.size} can be read`]
  if (lines.length === 0) return ['the file is empty']
  return count === 0 ? [`the file has ${plural(lines.length, 'line')}`] : []
}

export const MAX_BYTES = 5_000_000

export interface TextFile {
  readonly text: string
  readonly isWhole: boolean
}

/** Reads a text file, or its beginning. Returns undefined for a binary file. */
export async function readTextFile(path: string, host: Host): Promise<TextFile | undefined> {
  const bytes = await host.files.read(path, MAX_BYTES + 1)
  const isWhole = bytes.length <= MAX_BYTES
  if (bytes.includes(0)) return undefined
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    // A cut file may end in the middle of a character.
    return { text: decoder.decode(bytes.subarray(0, MAX_BYTES), { stream: !isWhole }), isWhole }
  } catch {
    return undefined
  }
}

/** Splits a text into lines, without an empty one after the last line break. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
