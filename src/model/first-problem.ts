import type * as z from 'zod'

/** The first thing that is wrong with a value under a schema: where, with dots between the steps, and what. */
export function firstProblem({ issues: [issue] }: z.core.$ZodError): {
  readonly path: string
  readonly message: string
} {
  return { path: issue?.path.join('.') ?? '', message: issue?.message ?? '' }
}
