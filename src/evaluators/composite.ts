import { quoteCode } from '../lib/text/quote.ts'
import { didYouMean } from '../lib/text/suggestion.ts'
import * as z from '../lib/zod.ts'
import { appliesTo } from '../model/applicability.ts'
import { type Check, describeCheck } from '../model/check.ts'
import { Unjudged, type UnjudgedCode } from '../model/grade.ts'
import type { Issue } from '../model/issue.ts'
import type { Part } from '../model/location.ts'
import { counts, isUnjudged } from '../model/verdict.ts'
import { defineEvaluator } from './define-evaluator.ts'
import {
  type Aggregator,
  aggregate,
  aggregator,
  closedGate,
  reachesMark,
  usesWeights,
  weightOf,
} from './shared/aggregator.ts'

export const composite = defineEvaluator({
  type: 'composite',
  summary: 'Combines several checks into one score.',
  notes: [
    'Checks can be nested to any depth and keep their `weight`, `negate` and `required`. A required check that is missed fails the test at any depth, unless it is inside a negated check. A check that does not apply to the target has no weight; a composite of such checks does not apply either. If a check cannot be judged, the composite is an error, unless the weight of that check is 0. `safety_gate` runs the gate checks first; if one scores below the threshold, the score is 0 and the other checks are skipped.',
  ],
  config: (check: z.ZodType<Check>) =>
    z.strictObject({
      evaluators: z.array(check).min(1).describe('The checks.'),
      aggregator: aggregator().prefault('weighted_average'),
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
  keys: { literal: ['aggregator'] },
  validate: {
    check: ({ evaluators, aggregator }) => {
      const weighed = 'weights' in aggregator ? aggregator.weights : undefined
      const required = 'required' in aggregator ? aggregator.required : undefined
      return [
        ...unknownNames(Object.keys(weighed ?? {}), evaluators, name => ['aggregator', 'weights', name], 'key'),
        ...unknownNames(required ?? [], evaluators, (_, index) => ['aggregator', 'required', index]),
        ...(aggregator.type === 'safety_gate' ? openGate(evaluators, aggregator) : []),
        ...(usesWeights(aggregator) ? zeroWeights(evaluators, weighed) : []),
      ]
    },
    target: ({ evaluators, aggregator }, target) => {
      const applicable = evaluators.filter(check => appliesTo(check, target))
      if (!usesWeights(aggregator) || applicable.length === evaluators.length) return []
      const weighed = 'weights' in aggregator ? aggregator.weights : undefined
      return zeroWeights(applicable, weighed, ` that apply to ${quoteCode(target.name)}`)
    },
  },
  sentences: {
    write: ({ config, negate }) =>
      config.evaluators.flatMap(child =>
        child.evaluator.sentences.write(child.with({ negate: child.negate !== negate })),
      ),
    show: ({ config, negate }) =>
      config.evaluators.flatMap(child => describeCheck(child.with({ negate: child.negate !== negate }))),
    omits: ({ aggregator }) => [
      ...(aggregator.type === 'weighted_average' ? [] : [`\`aggregator: ${aggregator.type}\``]),
      ...('weights' in aggregator && aggregator.weights ? ['weights'] : []),
    ],
  },
  grade: async ({ evaluators, aggregator }, _, context) => {
    const gates = gatesOf(evaluators, aggregator)
    const first = await Promise.all(gates.map(check => context.grade(check)))
    const mark = aggregator.type === 'safety_gate' ? aggregator.threshold : 0
    const closed = first.filter(result => counts(result) && !reachesMark(result, mark))
    const results = await Promise.all(
      evaluators.map(check => {
        const graded = first[gates.indexOf(check)]
        return graded ?? (closed.length > 0 ? context.skip(check) : context.grade(check))
      }),
    )
    const failed = results.find(result => isUnjudged(result, weightIn(aggregator, result)))
    if (failed)
      throw new Unjudged(failed.error?.code as UnjudgedCode, `${failed.name}: ${failed.error?.message}`, {
        evaluator_results: results,
      })
    const all = (key: 'hits' | 'misses') =>
      results.flatMap(result => result[key].map(text => `${result.name}: ${text}`))
    const grade = closed.length > 0 ? closedGate(closed) : aggregate(results.filter(counts), aggregator)
    return { ...grade, hits: all('hits'), misses: all('misses'), evaluator_results: results }
  },
})

/** The weight of a check in the score: only an average ignores a check without weight. */
function weightIn(aggregator: Aggregator, { name, weight }: Pick<Check, 'name' | 'weight'>): number {
  return aggregator.type === 'weighted_average' ? weightOf(name, weight, aggregator.weights ?? {}) : 1
}

/** The checks that run first: those that the gate names, else the required ones. */
function gatesOf(checks: readonly Check[], aggregator: Aggregator): readonly Check[] {
  if (aggregator.type !== 'safety_gate') return []
  const { required } = aggregator
  return checks.filter(({ name, required: mark }) => (required ? required.includes(name) : mark !== undefined))
}

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
    const hint = didYouMean(name, known, `the checks of this composite are ${list}`)
    return [
      {
        code: 'unknown-name',
        path: pathOf(name, index),
        part,
        message: `unknown check ${quoteCode(name)}`,
        hint,
      },
    ]
  })
}

function openGate(checks: readonly Check[], aggregator: Aggregator): Issue[] {
  if ('required' in aggregator && aggregator.required) return []
  if (gatesOf(checks, aggregator).length > 0) return []
  const hint = 'name the gate checks: `aggregator: {type: safety_gate, required: [no-secrets]}`'
  return [{ code: 'unknown-name', path: ['aggregator'], message: '`safety_gate` has no gate check', hint }]
}

function zeroWeights(checks: readonly Check[], weights: Record<string, number> = {}, which = ''): Issue[] {
  const message = `all checks of this composite${which} have the weight 0`
  const counted = checks.some(({ name, weight }) => weightOf(name, weight, weights) > 0)
  return counted ? [] : [{ code: 'zero-weights', path: ['evaluators'], message }]
}
