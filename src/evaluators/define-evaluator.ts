import type * as z from 'zod'
import type { Check } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'

/** What an evaluator may leave unsaid. */
type Described = Pick<Evaluator, 'summary' | 'examples'>

/** An evaluator with the type of its fields inferred from its schema. */
export function defineEvaluator<Schema extends z.ZodObject>(
  evaluator: Omit<Evaluator<z.output<Schema>>, 'config' | 'sentence' | keyof Described> &
    Partial<Described & Pick<Evaluator<z.output<Schema>>, 'sentence'>> & {
      readonly config: Schema | ((check: z.ZodType<Check>) => Schema)
    },
): Evaluator<z.output<Schema>> {
  const defaults = { summary: '', examples: [], sentence: ({ name }: Check) => [name] }
  return { ...defaults, ...evaluator } as Evaluator<z.output<Schema>>
}
