import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'
import type { AssertionContext } from './assertion-context.ts'
import type { MatrixTarget } from './providers.ts'
import type { Vars } from './template.ts'

/** What formats with prompts × providers × tests do differently. */
export interface MatrixDialect {
  /** Keys of a configuration that this conversion reads, or that have no meaning here. */
  readonly knownKeys: readonly string[]
  /** Keys of a test that this conversion reads. */
  readonly knownTestKeys: readonly string[]
  /** The defaults of all tests. */
  defaults(config: Written): Written | undefined
  /** Whether a test passes if each of its assertions passes; else if its score is high enough. */
  readonly everyAssertionCounts: boolean
  /** Whether a variable that is a list stands for several tests. */
  readonly expandsLists: boolean
  /** Converts an assertion that only this format has; undefined for any other. */
  assertion?(written: Written, context: AssertionContext): Promise<Fields | undefined>
  /** The targets of a configuration. Default: those of its providers. */
  targets?(config: Written, context: ImportContext): Promise<MatrixTarget[]>
  /** A file that a message names, from the new place of the suite. */
  filePath?(file: string, written: Written, context: ImportContext): string
  /** Fields of a test that only this format has. */
  testFields?(written: Written, vars: Vars, context: ImportContext): Fields
  /** Fields of the suite that only this format has. */
  suiteFields?(config: Written, context: ImportContext): Fields
}
