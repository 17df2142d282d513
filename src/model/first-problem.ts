import type * as z from 'zod'
import { jsonPathText } from '../lib/json-path.ts'

/** The first problem of a value under a schema: its path, as `messages[0].role`, and a message. */
export function firstProblem({ issues: [issue] }: Pick<z.core.$ZodError, 'issues'>): {
  readonly path: string
  readonly message: string
} {
  return { path: jsonPathText(issue?.path ?? []), message: issue?.message ?? '' }
}
