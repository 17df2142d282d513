import { isMapping } from '../../lib/objects.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { normalizedName, type Row, type Table } from './table.ts'

/** The value of a variable, and where it is written. */
export interface Variable {
  readonly value: unknown
  readonly at: SourceNode
}

/** Variables that are declared together, and remember which of them are used. */
interface Layer {
  find(name: string): Variable | undefined
  names(): Iterable<string>
}

/** The `vars` of a suite or a test. */
export class Vars implements Layer {
  readonly #values: Fields
  /** Names as they are written, by name. */
  readonly #written: ReadonlyMap<string, string>
  readonly #at: SourceNode
  readonly #used = new Set<string>()

  constructor(vars: unknown, at: SourceNode) {
    this.#values = isMapping(vars) ? vars : {}
    this.#written = new Map(Object.keys(this.#values).map(written => [normalizedName(written), written]))
    this.#at = at
  }

  find(name: string): Variable | undefined {
    const written = this.#written.get(name)
    if (written === undefined) return undefined
    this.#used.add(written)
    return { value: this.#values[written], at: this.#at.child(written) }
  }

  names(): Iterable<string> {
    return this.#written.keys()
  }

  get values(): Fields {
    return this.#values
  }

  unused(): { readonly name: string; readonly at: SourceNode }[] {
    const names = Object.keys(this.#values).filter(name => !this.#used.has(name))
    return names.map(name => ({ name, at: this.#at.child(name) }))
  }
}

/** The columns of a row. */
class RowLayer implements Layer {
  readonly #row: Row
  readonly #table: Table

  constructor(row: Row, table: Table) {
    this.#row = row
    this.#table = table
  }

  find(name: string): Variable | undefined {
    if (!this.#row.has(name)) return undefined
    this.#table.used.add(name)
    return new Cell(this.#row, name)
  }

  names(): Iterable<string> {
    return this.#table.columns.keys()
  }
}

/** A value of a row. Most are texts, whose location is not needed. */
class Cell implements Variable {
  readonly #row: Row
  readonly #column: string
  readonly value: unknown

  constructor(row: Row, column: string) {
    this.#row = row
    this.#column = column
    this.value = row.get(column)
  }

  get at(): SourceNode {
    return this.#row.nodeOf(this.#column)
  }
}

/** A test whose variants are filled in. */
interface VariantsOf {
  readonly test: string
  /** Templates without a value that are reported already, for this or another test. */
  readonly reported: Set<string>
}

interface ScopeOptions {
  readonly row?: Row | undefined
  readonly table?: Table | undefined
  readonly is_broken: boolean
  readonly variants_of?: VariantsOf | undefined
}

/** The variables of one test: those of its row, its own, and those of its suite. The first one of a name counts. */
export class Scope {
  readonly #layers: readonly Layer[]
  readonly row: Row | undefined
  /** Whether the variables have errors, so that one that is missing may be among them. */
  readonly is_broken: boolean
  /** The test whose variants are filled in: their templates are those of the suite. */
  readonly variants_of: VariantsOf | undefined
  readonly #vars: readonly Vars[]
  readonly #table: Table | undefined

  constructor(vars: readonly Vars[], options: ScopeOptions) {
    const { row, table, is_broken, variants_of } = options
    this.variants_of = variants_of
    this.#vars = vars
    this.#table = table
    this.#layers = row && table ? [new RowLayer(row, table), ...vars] : vars
    this.row = row
    this.is_broken = is_broken
  }

  /** Finds a variable by its name, or a part of one: `user.name` is the `name` of `user`. */
  find(name: string): Variable | undefined {
    const found = this.#named(name)
    if (found || !name.includes('.')) return found
    const [first = '', ...steps] = name.split('.')
    let part = this.#named(first)
    for (const step of steps) {
      const { value, at } = part ?? {}
      if (!at || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
      part = { value: (value as Fields)[step], at: at.child(Array.isArray(value) ? Number(step) : step) }
    }
    return part
  }

  /** The same variables for the variants of a test, and its own input. */
  ofVariants(input: Vars, test: string, reported: Set<string>): Scope {
    const { row, is_broken } = this
    const variants_of = { test, reported }
    return new Scope([input, ...this.#vars], { row, table: this.#table, is_broken, variants_of })
  }

  /** The values that a test has besides those of its suite. */
  ownValues(): readonly unknown[] {
    return [this.#vars[0]?.values ?? {}, ...(this.row ? [this.row.values()] : [])]
  }

  names(): string[] {
    return [...new Set(this.#layers.flatMap(layer => [...layer.names()]))]
  }

  #named(written: string): Variable | undefined {
    const name = normalizedName(written)
    for (const layer of this.#layers) {
      const found = layer.find(name)
      if (found) return found
    }
    return undefined
  }
}

/** A value inside of a text: numbers and booleans as written in the file, lists and mappings as JSON. */
export function textOf(variable: Variable): string {
  const { value } = variable
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean'
  return (isScalar ? variable.at.written() : undefined) ?? JSON.stringify(value)
}
