import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'
import type { MatrixDialect } from './dialect.ts'
import { expandLists, isListOfValues, type MatrixTest, merged, readVars } from './matrix-tests.ts'
import { resolveVars } from './resolve-vars.ts'
import type { Vars } from './template.ts'

/** A test with one value for each variable. */
export interface Case {
  readonly test: MatrixTest
  readonly vars: Vars
  /** Position of the test in the configuration, from 1. */
  readonly number: number
  readonly affix: Affix
}

/** Texts around every prompt of a test. */
export interface Affix {
  readonly prefix: string
  readonly suffix: string
}

/** Every test with the variables of all tests, once for each combination of values. */
export async function expandTests(
  tests: readonly MatrixTest[],
  defaults: Written | undefined,
  { expandsLists }: MatrixDialect,
  context: ImportContext,
): Promise<Case[]> {
  const shared = await readVars(defaults?.get('vars'), context)
  return tests.flatMap((test, index) => {
    const isFixed = test.written.get('options')?.get('disableVarExpansion')?.value === true
    const isList = expandsLists && !isFixed ? isListOfValues : () => false
    const affix = { prefix: affixOf('prefix', test, defaults), suffix: affixOf('suffix', test, defaults) }
    return expandLists(merged(shared, test.vars), isList).map(vars => ({
      test,
      number: index + 1,
      vars: resolveVars(Object.fromEntries(vars.map(([name, { value }]) => [name, value]))),
      affix,
    }))
  })
}

function affixOf(key: keyof Affix, { written }: MatrixTest, defaults: Written | undefined): string {
  return written.get('options')?.get(key)?.text() || defaults?.get('options')?.get(key)?.text() || ''
}
