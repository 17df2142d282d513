import { basename, dirname, resolve } from 'node:path'
import type { ImportFormat, ImportSource } from '../../import/format.ts'
import { ImportFiles } from '../../import/import-files.ts'
import { importFormats } from '../../import/index.ts'
import { isBelow } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import { findRepositoryRoot } from '../../model/repository-root.ts'
import { UserError } from '../../model/user-error.ts'
import { displayPath } from '../display-path.ts'

/** A file to import, its format, and the files around it. */
export interface FoundSource {
  readonly format: ImportFormat
  readonly source: ImportSource
  readonly files: ImportFiles
}

export interface FoundSources {
  /** The folder that was given, or that of the file. */
  readonly folder: string
  readonly sources: readonly FoundSource[]
}

/** Finds the files to import: one that is named, or all in a folder whose content is of a known format. */
export async function findSources(path: string, from: string | undefined, host: Host): Promise<FoundSources> {
  const given = resolve(host.cwd, path)
  const formats = formatsNamed(from)
  const stat = await host.files.stat(given).catch(() => undefined)
  if (!stat) throw new UserError(`${displayPath(given, host)} does not exist.`)
  if (stat.kind === 'file') {
    const folder = dirname(given)
    return { folder, sources: [await namedSource(given, formats, from !== undefined, host)] }
  }
  const { files } = await host.files.findBelow(given, name => formats.some(format => format.isCandidate(name)))
  const sources: FoundSource[] = []
  for (const file of files) {
    const candidates = formats.filter(format => format.isCandidate(basename(file)))
    const found = await recognise(file, candidates, host)
    if (found) sources.push(found)
  }
  return { folder: given, sources }
}

function formatsNamed(from: string | undefined): readonly ImportFormat[] {
  return from === undefined ? importFormats : importFormats.filter(({ name }) => name === from)
}

async function namedSource(
  file: string,
  formats: readonly ImportFormat[],
  isForced: boolean,
  host: Host,
): Promise<FoundSource> {
  const [only] = formats
  const found = await recognise(file, formats, host, true)
  if (found) return found
  if (isForced && only) return { format: only, ...(await openSource(file, host, true)) }
  const known = importFormats.map(({ name }) => name).join(', ')
  throw new UserError(
    `${displayPath(file, host)} is in no format that can be imported.`,
    `Name its format with --from: ${known}.`,
  )
}

async function recognise(
  file: string,
  formats: readonly ImportFormat[],
  host: Host,
  isNamed = false,
): Promise<FoundSource | undefined> {
  const opened = await openSource(file, host, isNamed)
  const format = formats.find(each => each.recognise(opened.source))
  return format && { format, ...opened }
}

/** Reads a file. Only one that the user names must be readable. */
async function openSource(file: string, host: Host, isNamed: boolean): Promise<Omit<FoundSource, 'format'>> {
  const root = await findRepositoryRoot(dirname(file), host)
  const files = new ImportFiles(isBelow(file, root) ? root : dirname(file), host)
  const bytes = await host.files.read(file, BEGINNING).catch(() => new Uint8Array())
  const isBinary = bytes.includes(0)
  const read = isBinary ? undefined : await files.parse(file)
  if (read && 'problem' in read && isNamed) throw new UserError(`${displayPath(file, host)} ${read.problem}.`)
  const document = read && !('problem' in read) && typeof read.value !== 'string' ? read : undefined
  return { source: { file, bytes: isBinary ? bytes : new Uint8Array(), document }, files }
}

const BEGINNING = 4096
