export type Severity = 'error' | 'warning'

/** What the table of codes has about one of them. */
export interface CodeEntry {
  readonly kind: 'shape' | 'meaning'
  readonly severity: Severity
  readonly summary: string
  readonly fix: string
}

/** An error that the JSON Schema finds too. */
export function shape(summary: string, fix: string): CodeEntry {
  return { kind: 'shape', severity: 'error', summary, fix }
}

/** An error that only the program finds. */
export function meaning(summary: string, fix: string): CodeEntry {
  return { kind: 'meaning', severity: 'error', summary, fix }
}

/** A warning is never about shape: the JSON Schema would turn it into an error. */
export function warning(summary: string, fix: string): CodeEntry {
  return { kind: 'meaning', severity: 'warning', summary, fix }
}
