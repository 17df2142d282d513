import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import { sha256 } from '../../lib/sha256.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import type { RawTest, RawTests } from '../suite/raw-suite.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { Scope, Vars } from './scope.ts'
import { type Row, readTable, type Table } from './table.ts'
import { Templates } from './templates.ts'

/** The variables of a test, or of one of its rows. */
export interface TestVariables {
  readonly templates: Templates
  readonly scope: Scope
  /** Follows the id of the test; undefined without rows. */
  readonly row_id?: string | undefined
  /** Where a row has its own id. */
  readonly row_id_at?: SourceNode | undefined
}

/** What gives the variables of a test their values. */
interface TestValues {
  readonly own: Vars
  /** Those of the test and of its suite. */
  readonly vars: readonly Vars[]
  readonly table: Table | undefined
  readonly is_broken: boolean
}

/** Whether `{{name}}` in a suite is a variable: if it has variants, or it or one of its tests gives values to variables. */
export function usesVariables(fields: Fields, tests: RawTests): boolean {
  return fields['vars'] !== undefined || fields['variants'] !== undefined || tests.usesVariables?.() === true
}

/** The variables of a suite and its tests. */
export class SuiteVariables {
  readonly #vars: Vars
  readonly #is_broken: boolean
  readonly #context: SuiteContext

  constructor(fields: Fields, at: SourceNode, context: SuiteContext) {
    this.#vars = new Vars(fields['vars'], at.child('vars'))
    this.#is_broken = fields['vars'] !== undefined && !isMapping(fields['vars'])
    this.#context = context
  }

  /** Gives a test its variables: once, or once for each of its rows. At their end, those that it does not use are reported. */
  async variablesOf({ raw, at }: RawTest): Promise<Iterable<TestVariables>> {
    const fields = isMapping(raw) ? raw : {}
    const { vars: written, rows } = fields
    const own = new Vars(written, at.child('vars'))
    const vars = [own, this.#vars]
    const table = rows === undefined ? undefined : await readTable(rows, at.child('rows'), this.#context)
    const is_broken =
      this.#is_broken || (written !== undefined && !isMapping(written)) || (rows !== undefined && table === undefined)
    return this.#given({ own, vars, table, is_broken })
  }

  /** A generator that waits for nothing: there can be very many rows. */
  *#given({ own, vars, table, is_broken }: TestValues): Generator<TestVariables> {
    if (table) yield* this.#rowsOf(table, vars, is_broken)
    else yield this.#templates(new Scope(vars, { is_broken }))
    if (is_broken) return
    for (const unused of own.unused()) this.#reportUnused(unused, 'this test')
    if (table) this.#reportUnusedColumns(table)
  }

  /** Reports the variables of the suite that no test uses. */
  reportUnused(): void {
    if (this.#is_broken) return
    for (const unused of this.#vars.unused()) this.#reportUnused(unused, 'any test')
  }

  *#rowsOf(table: Table, vars: readonly Vars[], is_broken: boolean): Generator<TestVariables> {
    const hashes = new Map<string, number>()
    for (const row of table.rows) {
      const { scope, templates } = this.#templates(new Scope(vars, { row, table, is_broken }))
      const id = row.has('id') ? this.#writtenId(row) : undefined
      const row_id_at = id === undefined ? undefined : row.nodeOf('id')
      yield { scope, templates, row_id: id ?? hashId(row, hashes), row_id_at }
    }
  }

  #templates(scope: Scope): TestVariables {
    const { diagnostics, files } = this.#context
    return { scope, templates: new Templates(scope, diagnostics, files.host.cwd) }
  }

  #writtenId(row: Row): string | undefined {
    const at = row.nodeOf('id')
    const id = row.get('id')
    if (typeof id === 'number') return at.written() ?? String(id)
    if (typeof id === 'string' && id.trim() !== '') return id
    const message = 'the `id` of a row must be a text or a number, and not empty'
    const hint = 'write an id that no other row has; without the column, ids are made from the values of a row'
    this.#context.diagnostics.add({ code: 'bad-rows', at, message, hint })
    return undefined
  }

  #reportUnusedColumns({ columns, used }: Table): void {
    for (const [name, at] of columns) {
      if (name !== 'id' && !used.has(name)) this.#reportUnused({ name, at }, 'this test')
    }
  }

  #reportUnused({ name, at }: { readonly name: string; readonly at: SourceNode }, owner: string): void {
    const message = `the variable ${quoteCode(name)} is not used by ${owner}`
    const hint = `write ${quoteCode(`{{${name}}}`)} where its value should be, or remove it`
    this.#context.diagnostics.add({ code: 'unused-variable', at, part: 'key', message, hint })
  }
}

const ID_LENGTH = 8

/** An id that depends on the values of a row alone: other rows keep theirs when one is inserted. */
function hashId(row: Row, seen: Map<string, number>): string {
  const id = sha256(canonicalJson(row.values())).slice(0, ID_LENGTH)
  const count = (seen.get(id) ?? 0) + 1
  seen.set(id, count)
  return count === 1 ? id : `${id}-${count}`
}
