import type { ArgsMatch } from './args-match.ts'

/** A call that is expected. */
export interface ExpectedCall {
  readonly tool: string
  readonly args?: 'any' | Readonly<Record<string, unknown>> | undefined
  readonly args_match?: ArgsMatch | undefined
  readonly max_duration_ms?: number | undefined
}
