import * as z from 'zod'
import type { GradeContext } from '../../../model/evaluator.ts'
import type { Grade } from '../../../model/grade.ts'
import { askJudge, type Judged } from './ask-judge.ts'

const SHAPE =
  '`{"score": a number from 0 to 1, "hits": ["what speaks for the answer"], "misses": ["what speaks against it"], "reasoning": "why"}`.'

const schema = z.object({
  score: z.number().min(0).max(1),
  hits: z.array(z.string()).default([]),
  misses: z.array(z.string()).default([]),
  reasoning: z.string().default(''),
})

/** One call gives one score. */
export async function gradeByScore(judged: Judged, context: GradeContext): Promise<Grade> {
  return askJudge({ ...judged, schema, shape: SHAPE }, context)
}
