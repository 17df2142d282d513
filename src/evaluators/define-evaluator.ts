import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { Check } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'

/** Members with a default. */
type Described = Pick<Evaluator, 'summary' | 'examples'>

/** A schema, or a function that makes it when it is first used. One with a parameter contains other checks, as `evaluators`. */
type ConfigSchema<Schema> = Schema | ((check: z.ZodType<Check>) => Schema)

/** Defines an evaluator; the type of its fields is inferred from its schema. */
export function defineEvaluator<Schema extends z.ZodObject>({
  config,
  ...evaluator
}: Omit<Evaluator<z.output<Schema>>, 'config' | 'contains_checks' | 'sentences' | keyof Described> &
  Partial<Described & Pick<Evaluator<z.output<Schema>>, 'sentences'>> & {
    readonly config: ConfigSchema<Schema>
  }): Evaluator<z.output<Schema>> {
  const defaults = { summary: '', examples: [], sentences: { write: ({ name }: Check) => [name] } }
  return { ...defaults, ...evaluator, ...schemaMaker(config) } as Evaluator<z.output<Schema>>
}

function schemaMaker<Schema extends z.ZodObject>(
  config: ConfigSchema<Schema>,
): Pick<Evaluator, 'config' | 'contains_checks'> {
  if (typeof config !== 'function') return { config: () => config }
  if (config.length > 0)
    return { config: (check = z.any()) => config(check as z.ZodType<Check>), contains_checks: true }
  return { config: lazily(config as () => Schema) }
}
