import { lazily } from '../../../lib/lazily.ts'
import { atLeastOne, ruleParams, visibleText } from '../../../lib/schema-rules.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Path } from '../../../model/location.ts'
import { sentenceOf } from '../sentences.ts'

const score = lazily(() => z.number().min(0).max(10))

const scoreRanges = lazily(() =>
  z
    .union([
      z
        .record(
          z.string().regex(/^(\d|10)$/, 'is not a score: use whole numbers from 0 to 10 as keys'),
          z.string().min(1).describe('Describes an answer with this score.'),
        )
        .refine(ranges => Object.keys(ranges).length > 0, {
          error: '`score_ranges` is empty',
          ...ruleParams({ code: 'out-of-range' }),
        })
        .transform(ranges =>
          Object.entries(ranges).map(([key, outcome]) => ({
            score_range: [Number(key), Number(key)] as [number, number],
            outcome,
          })),
        )
        .meta({ minProperties: 1 }),
      z
        .array(
          z.strictObject({
            score_range: z.tuple([score(), score()]).describe('Lowest and highest score of the range.'),
            outcome: z.string().min(1).describe('Describes an answer with such a score.'),
          }),
        )
        .min(1),
    ])
    .describe('Describes answers by score. The item is then scored from 0 to 10.'),
)

const structuredRubric = lazily(() =>
  atLeastOne(
    z.strictObject({
      id: z.string().min(1).optional().describe('Unique within the test. Default: `rubric-1`, `rubric-2`, …'),
      outcome: visibleText().optional().describe('What a good answer does.'),
      weight: z.number().min(0).default(1).describe('Weight in the score.'),
      required: z
        .boolean()
        .optional()
        .describe(
          'If true, the test fails when this item is missed: not satisfied or, with `score_ranges`, below `required_min_score`. Default: true with a `required_min_score`, else false.',
        ),
      required_min_score: score()
        .optional()
        .describe(
          'With `score_ranges`: the lowest score, from 0 to 10, that does not miss the item. Default: 5. Makes the item `required`.',
        ),
      score_ranges: scoreRanges().optional(),
    }),
    'outcome',
    'score_ranges',
  ),
)

/** A sentence alone. */
export const sentenceRubric = lazily(() =>
  visibleText().transform((outcome): z.output<ReturnType<typeof structuredRubric>> => ({ outcome, weight: 1 })),
)

export const rubricSchema = lazily(() =>
  z
    .union([sentenceRubric(), structuredRubric()])
    .describe('What a good answer does: a sentence, or a mapping with details.'),
)

export const rubricList = lazily(() => z.array(rubricSchema()).min(1).transform(assignIds))

export type Rubric = z.output<ReturnType<typeof rubricSchema>> & { readonly id: string; readonly required: boolean }

/** Gives items without an id `rubric-1`, `rubric-2`, … by position. Items with a minimum are required. */
export function assignIds(rubrics: readonly z.output<ReturnType<typeof rubricSchema>>[]): Rubric[] {
  const given = new Set(rubrics.map(({ id }) => id))
  return rubrics.map((rubric, index) => {
    let id = rubric.id ?? `rubric-${index + 1}`
    while (rubric.id === undefined && given.has(id)) id = `${id}-2`
    return { ...rubric, required: rubric.required ?? rubric.required_min_score !== undefined, id }
  })
}

/** Duplicate ids, reversed ranges and weights that are all 0. */
export function rubricIssues(rubrics: readonly Rubric[], key: string): Issue[] {
  const ids = rubrics.map(({ id }) => id)
  const issues = rubrics.flatMap(({ id, score_ranges: ranges = [] }, index): Issue[] => {
    const turned = ranges.findIndex(({ score_range: [low, high] }) => low > high)
    return [
      ...(ids.indexOf(id) < index ? [duplicate(id, [key, index, 'id'])] : []),
      ...(turned < 0 ? [] : [badRange([key, index, 'score_ranges', turned, 'score_range'])]),
    ]
  })
  const weightless = rubrics.length > 0 && rubrics.every(({ weight }) => weight === 0)
  return weightless
    ? [...issues, { code: 'zero-weights', path: [key], message: 'all rubrics have the weight 0' }]
    : issues
}

function duplicate(id: string, path: Path): Issue {
  return {
    code: 'duplicate-rubric',
    path,
    message: `duplicate rubric id ${quoteCode(id)}`,
    hint: 'give each rubric its own id',
  }
}

function badRange(path: Path): Issue {
  return { code: 'bad-range', path, message: 'the range ends before it begins', hint: 'write the lower score first' }
}

/** The ids that are written, not generated from the position. */
export function rubricIds(rubrics: readonly Rubric[], key: string): { id: string; path: Path }[] {
  return rubrics.flatMap(({ id }, index) => (/^rubric-\d+(-2)*$/.test(id) ? [] : [{ id, path: [key, index, 'id'] }]))
}

/** One sentence per item. */
export function rubricSentences(rubrics: readonly Rubric[], negate: boolean): string[] {
  return rubrics.map(({ outcome, score_ranges: ranges = [] }) => {
    const best = ranges.reduce(
      (a, b) => (b.score_range[1] > a.score_range[1] ? b : a),
      ranges[0] ?? { score_range: [0, 0], outcome: '' },
    )
    const sentence = outcome ?? best.outcome
    return sentenceOf(sentence, negate)
  })
}

/** Settings of items that their sentences leave out. */
export function rubricOmissions(rubrics: readonly Rubric[]): string[] {
  return [
    ...(rubrics.some(({ weight }) => weight !== 1) ? ['the weights of rubrics'] : []),
    ...(rubrics.some(({ required }) => required) ? ['that rubrics are required'] : []),
    ...(rubrics.some(({ score_ranges }) => score_ranges !== undefined) ? ['score ranges'] : []),
  ]
}
