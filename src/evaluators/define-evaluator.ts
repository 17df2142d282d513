import type * as z from 'zod'
import type { Check } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'

/** Members with a default. */
type Described = Pick<Evaluator, 'summary' | 'examples'>

/** Defines an evaluator; the type of its fields is inferred from its schema. */
export function defineEvaluator<Schema extends z.ZodObject>(
  evaluator: Omit<Evaluator<z.output<Schema>>, 'config' | 'sentences' | keyof Described> &
    Partial<Described & Pick<Evaluator<z.output<Schema>>, 'sentences'>> & {
      readonly config: Schema | ((check: z.ZodType<Check>) => Schema)
    },
): Evaluator<z.output<Schema>> {
  const defaults = { summary: '', examples: [], sentences: { write: ({ name }: Check) => [name] } }
  return { ...defaults, ...evaluator } as Evaluator<z.output<Schema>>
}
