export type Path = readonly (string | number)[]

/** A location in a source file, `file:line:column`: line and column count from 1. */
export interface Location {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Number of characters, from the column on. */
  readonly length: number
}

/** A side of `key: value`. */
export type Part = 'key' | 'value'

/** The node of a source file that a value was read from. Locations are computed on demand. */
export interface Origin {
  readonly file: string
  child(...path: (string | number)[]): Origin
  location(part?: Part): Location
  /** The line of its location. */
  line(): number
  /** The scalar as written in the file (`007`, `1.50`), without quotes. */
  written(): string | undefined
}
