import { basename, extname } from 'node:path'
import { groupBy } from '../lib/collections.ts'
import { canonicalJson } from '../lib/json/stringify.ts'
import { isMapping } from '../lib/objects.ts'
import { slug } from '../lib/paths.ts'
import { fillTemplates } from '../lib/text/template.ts'
import type { ImportedTest } from './format.ts'

type Fields = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

/** Most rows that are written in the suite. */
const MOST_INLINE = 50

/** Tests, and files with the rows of some of them by path. */
export interface TabledTests {
  readonly tests: readonly ImportedTest[]
  readonly files: ReadonlyMap<string, string>
}

/**
 * Makes rows of tests that come from one table and differ only in texts. Other tests stay as they are. Many rows are a
 * file, whose name begins with `stem`.
 */
export function withRows(tests: readonly ImportedTest[], stem: string): TabledTests {
  const files = new Map<string, string>()
  const made = rowTests(tests).map(test => {
    const { rows, id } = test.fields
    if (!Array.isArray(rows) || rows.length <= MOST_INLINE) return test
    const file = `rows/${slug(`${stem}-${String(id)}`, 80) || 'rows'}.jsonl`
    files.set(file, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    return { ...test, fields: { ...test.fields, rows: `./${file}` } }
  })
  return { tests: made, files }
}

function rowTests(tests: readonly ImportedTest[]): ImportedTest[] {
  const ids = new Set(tests.map(({ fields }) => String(fields['id'])))
  let alone = 0
  const groups = groupBy(tests, ({ table, fields }) =>
    table === undefined ? String(alone++) : `${table}\n${shapeOf(fields)}`,
  )
  return [...groups.values()].flatMap(group => {
    const made = group.length > 1 ? rowTest(group, ids) : undefined
    return made ? [made] : group
  })
}

function rowTest(group: readonly ImportedTest[], ids: Set<string>): ImportedTest | undefined {
  const [first] = group
  if (!first) return undefined
  const all = group.map(({ fields }) => fields)
  const table = new Columns(all)
  const { id: _id, vars: _vars, ...shared } = first.fields
  const fields = mapTexts(shared, [], (text, path) => table.textAt(text, path))
  const rows = table.rows()
  if (!rows) return undefined
  const stem = slug(basename(first.table ?? '', extname(first.table ?? '')), 40) || 'rows'
  let id = stem
  for (let next = 2; ids.has(id); next++) id = `${stem}-${next}`
  ids.add(id)
  return { ...first, fields: { id, ...table.shared(), ...(fields as Fields), rows } }
}

/** The columns of a table: variables of the tests, and texts that differ between them. */
class Columns {
  readonly #tests: readonly Fields[]
  readonly #columns = new Map<string, readonly unknown[]>()
  #isPossible = true

  constructor(tests: readonly Fields[]) {
    this.#tests = tests
    for (const name of Object.keys(varsOf(tests[0] ?? {})))
      this.#columns.set(
        name,
        tests.map(test => varsOf(test)[name]),
      )
    // A row has its id in the column of this name.
    if (this.#columns.has('id')) this.#isPossible = false
  }

  /** A text that all tests share, or a template for a column. */
  textAt(text: string, path: Path): string {
    const texts = this.#tests.map(test => valueAt(test, path))
    if (texts.every(each => each === text)) return text
    const values = texts.map(each => plainText(String(each)))
    if (values.includes(undefined)) this.#isPossible = false
    return `{{${this.#nameFor(values, path)}}}`
  }

  #nameFor(values: readonly unknown[], path: Path): string {
    for (const [name, column] of this.#columns) if (isSame(column, values)) return name
    const key = path.findLast(step => typeof step === 'string') ?? 'text'
    const wanted = key === 'value' ? 'expected' : String(key)
    let name = wanted
    for (let next = 2; this.#columns.has(name) || name === 'id'; next++) name = `${wanted}-${next}`
    this.#columns.set(name, values)
    return name
  }

  /** Variables with the same value in every test. */
  shared(): Fields {
    const same = [...this.#columns].filter(([, values]) => isConstant(values))
    return same.length === 0 ? {} : { vars: Object.fromEntries(same.map(([name, values]) => [name, values[0]])) }
  }

  /** The rows; undefined if a text cannot be in one. */
  rows(): Fields[] | undefined {
    const columns = [...this.#columns].filter(([, values]) => !isConstant(values))
    if (!this.#isPossible || columns.length === 0) return undefined
    return this.#tests.map((test, index) => ({
      id: String(test['id']).replace(/^test-(?=\d)/, ''),
      ...Object.fromEntries(columns.map(([name, values]) => [name, values[index]])),
    }))
  }
}

function varsOf({ vars }: Fields): Fields {
  return isMapping(vars) ? vars : {}
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, index) => value === other[index])
}

function isConstant(values: readonly unknown[]): boolean {
  return values.every(value => value === values[0])
}

/** A text without templates, as the value of a variable has it; undefined if it has templates. */
function plainText(text: string): string | undefined {
  let isPlain = true
  const plain = fillTemplates(text, () => {
    isPlain = false
    return ''
  })
  return isPlain ? plain : undefined
}

/** What tests must have in common to be rows: everything but their ids, and the texts that variables may be in. */
function shapeOf({ id: _, vars, ...fields }: Fields): string {
  const names = Object.keys(isMapping(vars) ? vars : {}).sort()
  return canonicalJson([names, mapTexts(fields, [], () => '')])
}

/** Keys whose texts are filled in: of tests, but for some inside of them, and of checks. */
const TEST_KEYS = ['description', 'expected_output', 'metadata', 'input']
const FIXED_KEYS = ['role', 'type', 'tags']
const CHECK_KEYS = ['value', 'criteria', 'rubrics', 'config']

/** Changes the texts of a test in which variables are filled in. */
function mapTexts(value: unknown, path: Path, change: (text: string, path: Path) => string): unknown {
  if (typeof value === 'string') return isFilledIn(path) ? change(value, path) : value
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], change))
  if (!isMapping(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, [...path, key], change)]))
}

function isFilledIn([first, ...rest]: Path): boolean {
  if (first !== 'assert')
    return TEST_KEYS.includes(String(first)) && !rest.some(step => FIXED_KEYS.includes(String(step)))
  const [, key, ...inside] = rest
  return key === 'evaluators' ? isFilledIn(['assert', ...inside]) : CHECK_KEYS.includes(String(key))
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, step) => (found as Record<string | number, unknown> | undefined)?.[step], value)
}
