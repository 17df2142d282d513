import { z } from 'zod'
import { shown } from '../lib/shown.ts'
import { didYouMean } from '../lib/suggestion.ts'
import type { Issue } from '../model/issue.ts'
import { PASS_MARK } from '../model/marks.ts'
import type { Part } from '../model/place.ts'
import type { Check } from './evaluator.ts'
import { defineEvaluator } from './evaluator.ts'
import { negated } from './shared/negated.ts'

const weights = z.record(z.string(), z.number().min(0)).optional().describe('Weights by the name of the check.')

const mark = z.number().min(0).max(1)

/** One aggregator with its settings. */
function kind<Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, settings: Shape) {
  return z.strictObject({ type: z.literal(type).describe(description), ...settings })
}

const aggregatorFields = z.discriminatedUnion('type', [
  kind('weighted_average', 'The average of all checks, by weight.', { weights }),
  kind('minimum', 'The lowest score.', {}),
  kind('maximum', 'The highest score.', {}),
  kind('safety_gate', 'Some checks run first; the others only where these hold.', {
    required: z.array(z.string().min(1)).min(1).optional().describe('Names of the checks that must hold.'),
    threshold: mark.default(0.6).describe('The mark that each of them must reach.'),
    weights,
  }),
  kind('all_or_nothing', 'The average where every check reaches the mark, else 0.', {
    threshold: mark.default(PASS_MARK).describe('The mark that each check must reach.'),
    weights,
  }),
  kind('threshold', 'Whether enough checks pass.', {
    threshold: mark.describe('The share of checks that must pass.'),
  }),
])

/** The aggregators that need no settings can be given by their name alone. */
const aggregatorName = z
  .enum(['weighted_average', 'minimum', 'maximum', 'safety_gate', 'all_or_nothing'])
  .transform(type => aggregatorFields.parse({ type }))

const aggregator = z
  .union([aggregatorName, aggregatorFields])
  .describe('How the scores of the checks make one: a name, or a mapping with settings.')

export const composite = defineEvaluator({
  type: 'composite',
  summary: 'Several checks make one score.',
  config: (check: z.ZodType<Check>) =>
    z.strictObject({
      evaluators: z.array(check).min(1).describe('The checks.'),
      aggregator: aggregator.prefault('weighted_average'),
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
  issues: ({ evaluators, aggregator }) => {
    const weighed = 'weights' in aggregator ? aggregator.weights : undefined
    const required = 'required' in aggregator ? aggregator.required : undefined
    return [
      ...unknownNames(Object.keys(weighed ?? {}), evaluators, name => ['aggregator', 'weights', name], 'key'),
      ...unknownNames(required ?? [], evaluators, (_, index) => ['aggregator', 'required', index]),
      ...(AVERAGING.includes(aggregator.type) ? zeroWeights(evaluators, weighed) : []),
    ]
  },
  sentence: ({ config, negate }) => {
    const sentences = config.evaluators.flatMap(child => child.evaluator.sentence(child))
    return sentences.map(sentence => negated(sentence, negate))
  },
})

/** The aggregators that weigh the checks. */
const AVERAGING: readonly string[] = ['weighted_average', 'safety_gate', 'all_or_nothing']

function unknownNames(
  names: readonly string[],
  checks: readonly Check[],
  pathOf: (name: string, index: number) => (string | number)[],
  part: Part = 'value',
): Issue[] {
  const known = new Set(checks.map(({ name }) => name))
  const list = [...known].slice(0, 20).join(', ')
  return names.flatMap((name, index) => {
    if (known.has(name)) return []
    const hint = didYouMean(name, known, `the checks here are ${list}`)
    return [
      { code: 'unknown-name', path: pathOf(name, index), part, message: `no check here is named ${shown(name)}`, hint },
    ]
  })
}

function zeroWeights(checks: readonly Check[], weights: Record<string, number> = {}): Issue[] {
  const counted = checks.some(({ name, weight }) => (Object.hasOwn(weights, name) ? Number(weights[name]) : weight) > 0)
  return counted ? [] : [{ code: 'zero-weights', path: ['evaluators'], message: 'all checks here have the weight 0' }]
}
