import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'
import type { GraderTargets } from './graders.ts'
import type { Programs } from './programs.ts'
import type { Vars } from './template.ts'

/** What an assertion is converted in. */
export interface AssertionContext extends ImportContext {
  /** The configuration, which references lead into. */
  readonly root: Written
  readonly programs: Programs
  readonly graders: GraderTargets
  /** The providers that grade answers where an assertion names none, most specific first. */
  readonly providers: readonly (Written | undefined)[]
  /** Values of the variables of the test. */
  readonly vars: Vars
  /** Fills in the variables of a text, or leaves them to be filled in when the suite is loaded. */
  fill(text: string): string
  /** What changes the output before the `transform` of the assertion does, in order. */
  readonly transforms: readonly Written[]
  /** Whether the average of the scores decides about the test, and not each assertion. */
  readonly isScored: boolean
  /** Converts the assertions of a format that writes them differently; notes those without an equivalent. */
  readonly convertOwn?: ((written: Written, context: AssertionContext) => Promise<Fields | undefined>) | undefined
}

/** An assertion with what its type does not decide. */
export interface Assertion {
  /** Type without `not-`. */
  readonly type: string
  readonly written: Written
  /** The value, with the content of a `file://` reference in its place. */
  readonly value: Written | undefined
  readonly threshold: number | undefined
}

/**
 * A check, without the fields that all checks share. Undefined if the value of the assertion is not understood; a
 * problem, which ends the sentence `the assertion …, …`, if something else is missing.
 */
export type ConvertedCheck =
  | { readonly problem: string; readonly type?: undefined }
  | (Fields & {
      readonly type: string
      /** The lowest score with which the assertion passes. Default: that of a check that is met or not. */
      readonly mark?: number | undefined
    })
  | undefined

export type ConvertAssertion = (assertion: Assertion, context: AssertionContext) => ConvertedCheck
