import { dirname, extname, relative, resolve, sep } from 'node:path'
import { parseCsv } from '../lib/csv.ts'
import { isBelow } from '../lib/paths.ts'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { readDocument, readJsonLines } from '../parse/yaml/read-document.ts'
import { Source } from '../parse/yaml/source.ts'
import { SourceNode } from '../parse/yaml/source-node.ts'
import type { ImportNotes } from './import-notes.ts'
import { Written } from './written.ts'

/** Largest file that is read, in bytes. */
const LARGEST = 64_000_000

/** How a file begins whose content Git LFS has not fetched. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/'

/** Reads the files that a source names, as long as they are in its project. */
export class ImportFiles {
  readonly host: Host
  /** The folder that no path may lead out of. */
  readonly root: string
  constructor(root: string, host: Host) {
    this.root = root
    this.host = host
  }

  /** Reads a file as text. Returns why that is impossible otherwise. */
  async read(path: string): Promise<{ readonly source: Source } | { readonly problem: string }> {
    if (!isBelow(path, this.root)) return { problem: 'is outside of the project' }
    const read = await this.host.files
      .readContained(this.root, relative(this.root, path), LARGEST)
      .catch(() => undefined)
    if (!read) return { problem: 'cannot be read' }
    if ('problem' in read) return { problem: PROBLEMS[read.problem] }
    const decoded = decodeUtf8(read.bytes)
    if ('invalidAt' in decoded) return { problem: 'is not UTF-8' }
    if (decoded.text.startsWith(LFS_POINTER))
      return { problem: 'is only a pointer of Git LFS: run `git lfs pull` first' }
    return { source: new Source(path, decoded.text) }
  }

  /**
   * Parses a file: YAML and JSON as a value, JSONL as a list of lines, CSV as a list of rows, other files as text. With
   * `text`, a file that cannot be parsed is a text too.
   */
  async parse(path: string, otherwise?: 'text'): Promise<Written | { readonly problem: string }> {
    const read = await this.read(path)
    if ('problem' in read) return read
    const diagnostics = new Diagnostics()
    const parsed = parseSource(read.source, diagnostics)
    const [error] = diagnostics.sorted().filter(({ severity }) => severity === 'error')
    if (parsed && !error) return parsed
    if (otherwise === 'text') return wholeText(read.source)
    return { problem: error ? `is not valid: ${error.message} (${error.line}:${error.column})` : 'cannot be parsed' }
  }

  /** Resolves a reference such as `file://judge.py` from the file that contains it. */
  resolve(reference: string, from: string): string {
    return resolve(dirname(from), reference.replace(/^file:\/\//, ''))
  }

  /** Whether a path is in the project. */
  isInside(path: string): boolean {
    return isBelow(path, this.root)
  }

  /** The files that a path or glob names, from the file that contains it. A path is returned as it is. */
  async matches(reference: string, from: string): Promise<readonly string[]> {
    const written = reference.replace(/^file:\/\//, '')
    if (!/[*?[\]{}]/.test(written)) return [this.resolve(written, from)]
    const found = await this.host.files.glob([written], { cwd: dirname(from), exact: true }).catch(() => [])
    return found.filter(path => this.isInside(path))
  }

  /** A file from a folder, as suites name it: `./judges/check.py`. */
  pathFrom(folder: string, path: string): string {
    const steps = relative(folder, path).split(sep).join('/')
    return steps.startsWith('.') ? steps : `./${steps}`
  }

  /** Replaces a `file://` reference with the content of the file. Notes what cannot be read. */
  async content(written: Written, notes: ImportNotes): Promise<Written | undefined> {
    const { value } = written
    if (typeof value !== 'string' || !value.startsWith('file://')) return written
    const path = this.resolve(value, written.at.file)
    const parsed = await this.parse(path)
    if (!('problem' in parsed)) return parsed
    notes.leftOut(written.at, `the file ${parsed.problem}`)
    return undefined
  }
}

const PROBLEMS = {
  missing: 'does not exist',
  outside: 'is outside of the project',
  'not-a-file': 'is not a regular file',
  'too-large': 'is too large to read',
} as const

function wholeText(source: Source): Written {
  return new Written(source.text, SourceNode.ofText(source, 0, 1))
}

/** The extension that says how a file is read: collectors name files of one JSON document per line `.json`. */
function kindOf({ file, text }: Source): string {
  const extension = extname(file).toLowerCase()
  const hasLines = extension === '.json' && /^\s*\{.*\}[ \t\r]*\n\s*\{/.test(text)
  return extension === '.ndjson' || hasLines ? '.jsonl' : extension
}

function parseSource(source: Source, diagnostics: Diagnostics): Written | undefined {
  switch (kindOf(source)) {
    case '.json':
    case '.yaml':
    case '.yml': {
      const document = readDocument(source, diagnostics)
      return document && new Written(document.value, document.at)
    }
    case '.jsonl': {
      const lines = [...readJsonLines(source, diagnostics)]
      return Written.listOf(
        lines.map(({ raw, at }) => new Written(raw, at)),
        SourceNode.ofText(source, 0, 1),
      )
    }
    case '.csv':
      return Written.listOf(csvRows(source, diagnostics), SourceNode.ofText(source, 0, 1))
    default:
      return wholeText(source)
  }
}

/** The rows of a CSV file as mappings; each key is located at its field. */
function csvRows(source: Source, diagnostics: Diagnostics): Written[] {
  const [header, ...records] = parseCsv(source.text)
  if (!header || 'problem' in header) return []
  return records.flatMap(record => {
    if ('problem' in record) {
      const at = source.location(record.offset, 1)
      diagnostics.add({ code: 'bad-import', at, message: `invalid CSV: ${record.problem}` })
      return []
    }
    const { values, starts, end } = record
    const fields = header.values.map((name, index) => [name.trim(), values[index] ?? ''])
    const places = header.values.map((name, index) => {
      const start = starts[index] ?? end
      return [name.trim(), SourceNode.ofText(source, start, Math.max(1, (values[index] ?? '').length))]
    })
    const row = SourceNode.ofText(source, starts[0] ?? 0, 1).with(Object.fromEntries(places))
    return [new Written(Object.fromEntries(fields), row)]
  })
}
