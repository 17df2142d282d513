import type { Diagnostic } from '../diagnostics/diagnostic.ts'

/** A configuration that cannot be used. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super('The configuration is not valid.')
    this.diagnostics = diagnostics
  }
}
