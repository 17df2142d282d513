import { lazily } from '../../lib/lazily.ts'
import { weightedAverage } from '../../lib/statistics/means.ts'
import { formatNumber } from '../../lib/text/format.ts'
import * as z from '../../lib/zod.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Grade } from '../../model/grade.ts'
import { PASS_MARK, reaches } from '../../model/verdict.ts'

const weights = lazily(() =>
  z.record(z.string(), z.number().min(0)).optional().describe('Weights by name of the check.'),
)

const mark = lazily(() => z.number().min(0).max(1))

/** One aggregator with its settings. */
function kind<Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, settings: Shape) {
  return z.strictObject({ type: z.literal(type).describe(description), ...settings })
}

const aggregatorFields = lazily(() =>
  z.discriminatedUnion('type', [
    kind('weighted_average', 'The weighted average of all checks.', { weights: weights() }),
    kind('minimum', 'The lowest score; weights are ignored.', {}),
    kind('maximum', 'The highest score; weights are ignored.', {}),
    kind('safety_gate', 'Gate checks run first; the other checks run only if the gate checks pass.', {
      required: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe('Names of the gate checks. Default: the `required` checks.'),
      threshold: mark().default(0.6).describe('Minimum score of each gate check.'),
      weights: weights(),
    }),
    kind('all_or_nothing', 'The weighted average if every check reaches the minimum score, else 0.', {
      threshold: mark().default(PASS_MARK).describe('Minimum score of each check.'),
      weights: weights(),
    }),
    kind('threshold', '1 if enough checks pass, else 0.', {
      threshold: mark().describe('Minimum share of checks that pass.'),
    }),
  ]),
)

/** Aggregators without required settings can be given by name. */
const aggregatorName = lazily(() =>
  z
    .enum(['weighted_average', 'minimum', 'maximum', 'safety_gate', 'all_or_nothing'])
    .transform(type => aggregatorFields().parse({ type })),
)

export const aggregator = lazily(() =>
  z
    .union([aggregatorName(), aggregatorFields()])
    .describe('How to combine the scores: a name, or a mapping with settings.'),
)

export type Aggregator = z.output<ReturnType<typeof aggregatorFields>>
type Aggregate = Required<Pick<Grade, 'score' | 'reasoning'>>

/** Whether the aggregator uses the weights of the checks. */
export function usesWeights({ type }: Aggregator): boolean {
  return type === 'weighted_average' || type === 'safety_gate' || type === 'all_or_nothing'
}

export function reachesMark({ score }: EvaluatorResult, mark: number): boolean {
  return score !== null && reaches(score, mark)
}

export function closedGate(closed: readonly EvaluatorResult[]): Aggregate {
  const names = closed.map(({ name, score }) => `${name} (${formatNumber(score ?? 0)})`).join(', ')
  return { score: 0, reasoning: `safety_gate: closed by ${names}` }
}

/** Combines the scores of all checks, and explains the result. */
export function aggregate(results: readonly EvaluatorResult[], aggregator: Aggregator): Aggregate {
  const { type } = aggregator
  const scores = results.map(({ score }) => score ?? 0)
  const list = scores.map(formatNumber).join(', ')
  switch (aggregator.type) {
    case 'minimum':
      return { score: scores.reduce((least, score) => Math.min(least, score), 1), reasoning: `minimum of ${list}` }
    case 'maximum':
      return { score: scores.reduce((most, score) => Math.max(most, score), 0), reasoning: `maximum of ${list}` }
    case 'threshold': {
      const passed = results.filter(result => reachesMark(result, PASS_MARK)).length
      const score = reaches(passed / results.length, aggregator.threshold) ? 1 : 0
      return {
        score,
        reasoning: `threshold: ${passed} of ${results.length} reach ${PASS_MARK}, required share ${aggregator.threshold}`,
      }
    }
    case 'all_or_nothing': {
      const low = results.filter(result => !reachesMark(result, aggregator.threshold)).map(({ name }) => name)
      if (low.length > 0)
        return { score: 0, reasoning: `all_or_nothing: ${low.join(', ')} below ${aggregator.threshold}` }
      return average(results, aggregator.weights, type)
    }
    default:
      return average(results, aggregator.weights, type)
  }
}

function average(
  results: readonly EvaluatorResult[],
  weights: Readonly<Record<string, number>> = {},
  type: string,
): Aggregate {
  const parts = results.map(({ name, score, weight }) => ({ score, weight: weightOf(name, weight, weights) }))
  const products = parts.map(({ score, weight }) => `${formatNumber(score ?? 0)} × ${formatNumber(weight)}`).join(' + ')
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  return { score: weightedAverage(parts), reasoning: `${type}: (${products}) / ${formatNumber(total)}` }
}

/** The weight of a check: the aggregator's, else its own. */
export function weightOf(name: string, own: number, weights: Readonly<Record<string, number>>): number {
  return Object.hasOwn(weights, name) ? Number(weights[name]) : own
}
