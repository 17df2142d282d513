import { z } from 'zod'
import { nearest } from '../lib/nearest.ts'
import { shown } from '../lib/shown.ts'
import type { Issue } from '../model/issue.ts'
import type { Part } from '../model/place.ts'
import type { Check } from './evaluator.ts'
import { defineEvaluator } from './evaluator.ts'

const AGGREGATORS = ['weighted_average', 'minimum', 'maximum', 'safety_gate', 'all_or_nothing', 'threshold'] as const

const aggregatorName = z.enum(AGGREGATORS).describe('How the scores of the checks make one.')

const aggregatorFields = z.strictObject({
  type: aggregatorName,
  weights: z.record(z.string(), z.number().min(0)).optional().describe('Weights by the name of the check.'),
  required: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('With `safety_gate`: the checks that must hold before the others run.'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The mark of `safety_gate` (0.6) or `all_or_nothing` (0.8), or the share that `threshold` asks for.'),
})

const aggregator = z
  .union([aggregatorName.transform((type): z.output<typeof aggregatorFields> => ({ type })), aggregatorFields])
  .describe('How the scores of the checks make one: a name, or a mapping with settings.')

export const composite = defineEvaluator({
  type: 'composite',
  summary: 'Several checks make one score.',
  config: (check: z.ZodType<Check>) =>
    z.strictObject({
      evaluators: z.array(check).min(1).describe('The checks.'),
      aggregator: aggregator.default({ type: 'weighted_average' }),
    }),
  examples: [
    {
      title: 'Safe first, then good',
      check: {
        type: 'composite',
        name: 'release',
        aggregator: { type: 'safety_gate', required: ['no-secret'] },
        evaluators: [
          { name: 'no-secret', type: 'contains', value: 'sk-live', negate: true },
          { name: 'polite', type: 'icontains', value: 'thank' },
        ],
      },
    },
  ],
  issues: ({ evaluators, aggregator }) => [
    ...unknownNames(Object.keys(aggregator.weights ?? {}), evaluators, name => ['aggregator', 'weights', name], 'key'),
    ...unknownNames(aggregator.required ?? [], evaluators, (_, index) => ['aggregator', 'required', index]),
    ...zeroWeights(evaluators, aggregator.weights),
  ],
  sentence: ({ config, negate }) => {
    const sentences = config.evaluators.flatMap(child => child.evaluator.sentence(child))
    return negate ? sentences.map(sentence => `Not the case: ${sentence}`) : sentences
  },
})

function unknownNames(
  names: readonly string[],
  checks: readonly Check[],
  pathOf: (name: string, index: number) => (string | number)[],
  part: Part = 'value',
): Issue[] {
  const known = checks.map(({ name }) => name)
  return names.flatMap((name, index) => {
    if (known.includes(name)) return []
    const meant = nearest(name, known)
    const hint = meant ? `did you mean \`${meant}\`?` : `the checks here are ${known.join(', ')}`
    return [
      { code: 'unknown-name', path: pathOf(name, index), part, message: `no check here is named ${shown(name)}`, hint },
    ]
  })
}

function zeroWeights(checks: readonly Check[], weights: Record<string, number> = {}): Issue[] {
  const counted = checks.some(({ name, weight }) => (Object.hasOwn(weights, name) ? Number(weights[name]) : weight) > 0)
  return counted ? [] : [{ code: 'zero-weights', path: ['evaluators'], message: 'all checks here have the weight 0' }]
}
