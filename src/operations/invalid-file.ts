import type { Diagnostic } from '../diagnostics/diagnostic.ts'

/** A configuration or a baseline that cannot be used, with the problems in it. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super('A file of the project is not valid.')
    this.diagnostics = diagnostics
  }
}
