import { isSystemError } from '../lib/system-error.ts'

/** What was thrown that nobody has put into words: what the machine does not let us do fails an attempt, anything else is a bug. */
export function thrownProblem(error: unknown): { readonly code: string; readonly message: string } {
  if (isSystemError(error)) return { code: 'system-error', message: `the machine does not let us: ${error.message}` }
  return { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
