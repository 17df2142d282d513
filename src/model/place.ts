export type Path = readonly (string | number)[]

/** A spot in a file, ready to click: line and column count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** How many characters are meant, from the column on. */
  readonly length: number
}

/** Which side of `key: value` is meant. */
export type Part = 'key' | 'value'

/** Where a node of a suite came from. Nothing is computed until someone asks. */
export interface Origin {
  readonly file: string
  child(...path: (string | number)[]): Origin
  place(part?: Part): Place
  /** The line of its place. */
  line(): number
  /** The scalar as it stands in the file (`007`, `1.50`), without quotes. */
  written(): string | undefined
}
