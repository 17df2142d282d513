import type { DiagnosticCode, Severity } from '../diagnostics/codes.ts'
import { type Diagnostic, severityOf } from '../diagnostics/diagnostic.ts'
import type { Location, Origin, Part } from '../model/location.ts'
import type { Source } from './yaml/source.ts'

export interface DiagnosticInput {
  readonly code: DiagnosticCode
  /** Default: the severity of the code. */
  readonly severity?: Severity | undefined
  readonly at: Origin | Location
  readonly part?: Part
  readonly message: string
  readonly hint?: string | undefined
}

/** Collects diagnostics and adds code frames from the registered sources. */
export class Diagnostics {
  readonly #order = new Map<string, number>()
  readonly #sources = new Map<string, Source>()
  readonly #found = new Map<string, Diagnostic>()
  #errors = 0
  #added = 0

  /** Registers a file before it is read: diagnostics are sorted by this order. */
  registerFile(file: string): void {
    if (!this.#order.has(file)) this.#order.set(file, this.#order.size)
  }

  registerSource(source: Source): void {
    this.registerFile(source.file)
    this.#sources.set(source.file, source)
  }

  /** Adds a diagnostic. Several aliases may lead to the same one, which is kept once. */
  add({ code, severity = severityOf(code), at, part, message, hint }: DiagnosticInput): void {
    const location = 'location' in at ? at.location(part) : at
    const frame = this.#sources.get(location.file)?.frame(location)
    const diagnostic: Diagnostic = {
      code,
      severity,
      ...location,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(frame === undefined ? {} : { frame }),
    }
    this.#added++
    if (diagnostic.severity === 'error') this.#errors++
    const key = JSON.stringify([code, location.file, location.line, location.column, message])
    if (!this.#found.has(key)) this.#found.set(key, diagnostic)
  }

  /** Returns a location in a registered source. */
  locationIn(file: string, offset: number, length: number): Location {
    return this.#sources.get(file)?.location(offset, length) ?? { file, line: 1, column: 1, length: 1 }
  }

  /** Number of diagnostics, duplicates included. */
  get added(): number {
    return this.#added
  }

  /** Number of errors, duplicates included. */
  get errors(): number {
    return this.#errors
  }

  /** Returns the diagnostics sorted by file, in reading order, line and column. */
  sorted(): Diagnostic[] {
    const rank = ({ file }: Diagnostic) => this.#order.get(file) ?? this.#order.size
    return [...this.#found.values()].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column)
  }
}
