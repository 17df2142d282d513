import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import { ZipError, zipEntries } from '../../lib/zip.ts'
import { UserError } from '../../model/user-error.ts'
import { Source } from '../../parse/yaml/source.ts'
import { SourceNode } from '../../parse/yaml/source-node.ts'
import type { ImportContext } from '../format.ts'
import { Written } from '../written.ts'

/** Largest archive, in bytes. */
const LARGEST = 2_000_000_000

/** Reads a log that is a ZIP archive, as its JSON form: the header, and each sample. */
export async function readArchive(file: string, { files }: ImportContext): Promise<Written> {
  const stat = await files.host.files.stat(file).catch(() => undefined)
  if (stat && stat.size > LARGEST) throw new UserError(`Cannot read ${file}: it is larger than 2 GB.`)
  const data = await files.host.files.read(file)
  const at = SourceNode.ofText(new Source(file, ''), 0, 1)
  try {
    const entries = zipEntries(data)
    const read = (name: string) => parseJson(new TextDecoder().decode(entries.get(name)?.read()))
    // A log that was not finished has no header, only the beginning of its journal.
    const header = read(entries.has('header.json') ? 'header.json' : '_journal/start.json')
    if (!isMapping(header)) throw new ZipError('it has no header')
    const names = [...entries.keys()].filter(name => /^samples\/.*\.json$/.test(name))
    const isWhole = entries.has('header.json')
    return new Written({ status: isWhole ? 'success' : 'started', ...header, samples: names.map(read) }, at)
  } catch (error) {
    if (error instanceof ZipError) throw new UserError(`Cannot read ${file}: ${error.message}.`)
    throw error
  }
}
