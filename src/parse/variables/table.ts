import { extname } from 'node:path'
import { type CsvRecord, parseCsv } from '../../lib/csv.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import { jsonLines, readDocument } from '../yaml/read-document.ts'
import type { Source } from '../yaml/source.ts'
import { SourceNode } from '../yaml/source-node.ts'

/** One row: the values of its columns, and where they are written. */
export interface Row {
  readonly at: SourceNode
  has(column: string): boolean
  get(column: string): unknown
  nodeOf(column: string): SourceNode
  /** All values by column. */
  values(): Fields
}

/** The rows of a test. */
export interface Table {
  readonly rows: readonly Row[]
  /** Every column of any row, with its first location. */
  readonly columns: ReadonlyMap<string, SourceNode>
  /** Columns that a template uses. */
  readonly used: Set<string>
}

type Rows = Pick<Table, 'rows' | 'columns'>

const NONE: Rows = { rows: [], columns: new Map() }

/** Reads the `rows` of a test: a list of mappings, or the path of a file. Returns undefined after reporting an error. */
export async function readTable(rows: unknown, at: SourceNode, context: SuiteContext): Promise<Table | undefined> {
  const before = context.diagnostics.errors
  // The shape of a list is checked with the test.
  if (typeof rows !== 'string' && !isListOfMappings(rows)) return undefined
  const found = typeof rows === 'string' ? await readFile(rows, at, context) : mappingRows(listed(rows, at), context)
  return context.diagnostics.errors > before ? undefined : { ...found, used: new Set() }
}

/** The name of a variable. The same letters may be written as different code points, as by another system. */
export function normalizedName(written: string): string {
  return written.normalize('NFC')
}

async function readFile(written: string, at: SourceNode, context: SuiteContext): Promise<Rows> {
  const path = await context.files.resolve(written.replace(/^file:\/\//, ''), at.file)
  const read = READERS.get(extname(path).toLowerCase())
  if (!read) {
    const message = `${quoteCode(written)} has an unsupported extension`
    const hint = `use one of ${[...READERS.keys()].join(', ')}`
    context.diagnostics.add({ code: 'bad-rows', at, message, hint })
    return NONE
  }
  const source = await context.files.read(path, { at, written })
  return source ? read(source, context) : NONE
}

const READERS: ReadonlyMap<string, (source: Source, context: SuiteContext) => Rows> = new Map([
  ['.csv', csvRows],
  ['.jsonl', (source, context) => mappingRows(jsonLines(source, context.diagnostics, 'rows'), context)],
  ['.json', jsonRows],
])

interface RawRow {
  readonly raw: unknown
  readonly at: SourceNode
}

function isListOfMappings(rows: unknown): rows is readonly Record<string, unknown>[] {
  return Array.isArray(rows) && rows.length > 0 && rows.every(isMapping)
}

function listed(items: readonly unknown[], at: SourceNode): RawRow[] {
  const nodes = at.items()
  return items.map((raw, index) => ({ raw, at: nodes[index] ?? at.child(index) }))
}

function jsonRows(source: Source, context: SuiteContext): Rows {
  const document = readDocument(source, context.diagnostics)
  if (!document) return NONE
  const { value, at } = document
  if (Array.isArray(value) && value.length > 0) return mappingRows(listed(value, at), context)
  const hint = 'write a list of mappings: `[{"id": "a", "city": "Oslo"}]`'
  context.diagnostics.add({ code: 'bad-rows', at, message: 'this file contains no list of rows', hint })
  return NONE
}

function mappingRows(found: Iterable<RawRow>, { diagnostics }: SuiteContext): Rows {
  const rows: Row[] = []
  const columns = new Map<string, SourceNode>()
  for (const { raw, at } of found) {
    if (!isMapping(raw)) {
      diagnostics.add({ code: 'bad-rows', at, message: 'a row must be a mapping of column names to values' })
      continue
    }
    const row = new MappingRow(raw, at)
    for (const name of row.written.keys()) if (!columns.has(name)) columns.set(name, row.nodeOf(name))
    rows.push(row)
  }
  return { rows, columns }
}

class MappingRow implements Row {
  readonly #raw: Fields
  readonly at: SourceNode
  /** Names of columns as they are written, by name. */
  readonly written: ReadonlyMap<string, string>

  constructor(raw: Fields, at: SourceNode) {
    this.#raw = raw
    this.at = at
    this.written = new Map(Object.keys(raw).map(key => [normalizedName(key), key]))
  }

  has(column: string): boolean {
    return this.written.has(column)
  }

  get(column: string): unknown {
    const key = this.written.get(column)
    return key === undefined ? undefined : this.#raw[key]
  }

  nodeOf(column: string): SourceNode {
    return this.at.child(this.written.get(column) ?? column)
  }

  values(): Fields {
    return Object.fromEntries(Array.from(this.written, ([name, key]) => [name, this.#raw[key]]))
  }
}

function csvRows(source: Source, { diagnostics }: SuiteContext): Rows {
  const before = diagnostics.errors
  const rows: Row[] = []
  let header: CsvRecord | undefined
  let columns: Columns = new Map()
  const report: Report = (message, offset, hint) =>
    diagnostics.add({ code: 'bad-rows', at: source.location(offset, 1), message, hint })
  for (const record of parseCsv(source.text)) {
    if ('problem' in record) report(`invalid CSV: ${record.problem}`, record.offset, QUOTING)
    else if (!header) {
      header = { ...record, values: record.values.map(normalizedName) }
      columns = new Map(header.values.map((name, index) => [name, index]))
      reportHeader(header, report)
    } else if (record.values.length !== header.values.length) reportLength(record, header, report)
    else rows.push(new CsvRow(columns, record, source))
  }
  const names = header && new CsvRow(columns, header, source)
  if (!names || rows.length === 0) {
    if (diagnostics.errors === before)
      report('this file contains no rows', 0, 'write the names of the columns, then one line per row')
    return NONE
  }
  return { rows, columns: new Map(Array.from(columns.keys(), name => [name, names.nodeOf(name)])) }
}

const QUOTING = 'put fields with commas, quotes or line breaks in double quotes, and write quotes inside of them twice'

type Report = (message: string, offset: number, hint?: string) => void

const SPACES = 'remove spaces around commas: they are part of the fields'

function reportHeader({ values, starts }: CsvRecord, report: Report): void {
  const separator = values.length === 1 ? /[;\t|]/.exec(values[0] ?? '')?.[0] : undefined
  if (separator !== undefined)
    report(`columns are separated by ${JSON.stringify(separator)}`, starts[0] ?? 0, 'separate them with commas')
  for (const [index, name] of values.entries()) {
    const start = starts[index] ?? 0
    if (name.trim() === '') report(`column ${index + 1} has no name`, start, 'the first line names the columns')
    else if (name.trim() !== name) report(`the name of column ${index + 1} begins or ends with a space`, start, SPACES)
    else if (values.indexOf(name) < index) report(`duplicate column ${quoteCode(name)}`, start, 'rename one of them')
  }
}

function reportLength({ values, starts, end }: CsvRecord, { values: columns }: CsvRecord, report: Report): void {
  const count = `${values.length} ${values.length === 1 ? 'field' : 'fields'}`
  const at = values.length > columns.length ? (starts[columns.length] ?? end) : (starts.at(-1) ?? end)
  report(`this row has ${count}, the header has ${columns.length}`, at, QUOTING)
}

/** Numbers of columns by name, from 0. */
type Columns = ReadonlyMap<string, number>

/** A line of a CSV file. There can be very many, so each keeps little state. */
class CsvRow implements Row {
  readonly #columns: Columns
  readonly #record: CsvRecord
  readonly #source: Source

  constructor(columns: Columns, record: CsvRecord, source: Source) {
    this.#columns = columns
    this.#record = record
    this.#source = source
  }

  has(column: string): boolean {
    return this.#columns.has(column)
  }

  get(column: string): string | undefined {
    return this.#record.values[this.#columns.get(column) ?? -1]
  }

  values(): Fields {
    return Object.fromEntries(Array.from(this.#columns.keys(), name => [name, this.get(name)]))
  }

  get at(): SourceNode {
    const [start = 0] = this.#record.starts
    return SourceNode.ofText(this.#source, start, this.#record.end - start)
  }

  nodeOf(column: string): SourceNode {
    const { starts, end } = this.#record
    const index = this.#columns.get(column) ?? -1
    const start = starts[index] ?? 0
    const next = starts[index + 1]
    return SourceNode.ofText(this.#source, start, Math.max(1, (next === undefined ? end : next - 1) - start))
  }
}
