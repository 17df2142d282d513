import { mean, weightedAverage } from '../../../lib/statistics/means.ts'
import * as z from '../../../lib/zod.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import type { RubricItem } from '../../../model/evaluator-result.ts'
import type { Grade } from '../../../model/grade.ts'
import { absentGrade } from '../subject.ts'
import type { JudgeTask } from './ask-judge.ts'
import type { Rubric } from './rubric.ts'
import { askVotes, judgeOfVote } from './votes.ts'

/** The lowest score from 0 to 10 that does not miss an item without `required_min_score`. */
const DEFAULT_MINIMUM = 5

const SHAPE =
  '`{"items": [{"id": "the id of the item", "satisfied": true or false, "reasoning": "why"}]}`, with `"score"` from 0 to 10 instead of `"satisfied"` for items that have scores; every item exactly once.'

/** Judges all items in one call per vote; each reply must have each item once. */
export async function gradeRubrics(
  rubrics: readonly Rubric[],
  judged: JudgeTask,
  context: GradeContext,
): Promise<Grade> {
  const text = `${judged.text}\n\n# Items\n${rubrics.map(itemText).join('\n')}`
  const judging = { ...judged, text, schema: replySchema(rubrics), shape: SHAPE }
  const problem = (reply: z.output<typeof judging.schema>) => itemsProblem(reply.items, rubrics)
  const replies = await askVotes({ ...judging, problem }, context)
  const found = rubrics.map(rubric =>
    itemByVotes(
      rubric,
      replies.flatMap(vote =>
        vote.reply.items.filter(({ id }) => id === rubric.id).map(item => ({ ...item, ...judgeOfVote(vote) })),
      ),
    ),
  )
  const said = (passed: boolean) => found.filter(item => item.passed === passed).map(textOf)
  return {
    score: weightedAverage(
      found.map(({ score, satisfied, weight }) => ({
        score: satisfied === undefined ? (score ?? 0) / 10 : Number(satisfied),
        weight,
      })),
    ),
    hits: said(true),
    misses: said(false),
    items: found,
  }
}

/** The grade if what is judged does not exist: every item is missed, and no judge is asked. */
export function missedRubrics(rubrics: readonly Rubric[], reason: string): Grade {
  const items = rubrics.map(rubric => {
    const worst = rubric.score_ranges === undefined ? { satisfied: false } : { score: 0 }
    return { ...itemOf(rubric, { id: rubric.id, reasoning: reason, ...worst }), passed: false }
  })
  return { ...absentGrade(reason), items }
}

/** The schema of the reply: a score for items with ranges, else satisfied or not. */
function replySchema(rubrics: readonly Rubric[]) {
  const reasoning = z.string()
  const ids = (scored: boolean) =>
    rubrics.filter(rubric => (rubric.score_ranges !== undefined) === scored).map(({ id }) => id)
  const plain = z.object({ id: z.enum(ids(false)), satisfied: z.boolean(), reasoning })
  const scored = z.object({ id: z.enum(ids(true)), score: z.number().min(0).max(10), reasoning })
  const item = ids(true).length === 0 ? plain : ids(false).length === 0 ? scored : z.union([plain, scored])
  return z.object({ items: z.array(item as z.ZodType<ReplyItem>) })
}

interface ReplyItem {
  readonly id: string
  readonly satisfied?: boolean
  readonly score?: number
  readonly reasoning: string
  /** The judge of a panel that replied. */
  readonly judge?: string
}

function itemsProblem(items: readonly ReplyItem[], rubrics: readonly Rubric[]): string | undefined {
  const ids = items.map(({ id }) => id)
  const missing = rubrics.map(({ id }) => id).filter(id => !ids.includes(id))
  const twice = ids.filter((id, index) => ids.indexOf(id) < index)
  if (missing.length > 0) return `these items are missing: ${missing.join(', ')}`
  return twice.length > 0 ? `these items are there twice: ${twice.join(', ')}` : undefined
}

function itemText({ id, outcome, score_ranges: ranges }: Rubric): string {
  if (!ranges) return `- ${id}: ${outcome} (satisfied or not)`
  const levels = ranges.map(
    ({ score_range: [low, high], outcome }) => `  - ${low === high ? low : `${low} to ${high}`}: ${outcome}`,
  )
  return [`- ${id}: ${outcome ?? 'how well the answer does'} (a score from 0 to 10)`, ...levels].join('\n')
}

/** An item that several votes judge: satisfied by majority, or with the mean score. */
function itemByVotes(rubric: Rubric, replies: readonly ReplyItem[]): RubricItem {
  const [only, ...others] = replies
  if (others.length === 0) return itemOf(rubric, only)
  const votes = replies.map(({ id, ...vote }) => vote)
  return { ...itemOf(rubric, decidedBy(replies)), votes }
}

/** The reply of the majority: its reasoning is that of the first vote which agrees most with it. */
function decidedBy(replies: readonly ReplyItem[]): ReplyItem | undefined {
  const score = mean(replies.map(({ score = 0 }) => score))
  const satisfied = replies.filter(reply => reply.satisfied).length > replies.length / 2
  const distance = (reply: ReplyItem) =>
    reply.satisfied === undefined ? Math.abs((reply.score ?? 0) - score) : Number(reply.satisfied !== satisfied)
  const [nearest] = [...replies].sort((a, b) => distance(a) - distance(b))
  return nearest && { ...nearest, ...(nearest.satisfied === undefined ? { score } : { satisfied }) }
}

function itemOf(rubric: Rubric, reply: ReplyItem | undefined): RubricItem {
  const { id, outcome, weight, required, required_min_score: minimum = DEFAULT_MINIMUM, score_ranges: ranges } = rubric
  const { satisfied, score, reasoning = '' } = reply ?? {}
  const text = outcome ?? ranges?.at(-1)?.outcome ?? id
  const passed = satisfied ?? (score ?? 0) >= minimum
  const found = satisfied === undefined ? { score: score ?? 0 } : { satisfied }
  const needed = required && satisfied === undefined ? { required_min_score: minimum } : {}
  return { id, text, ...found, weight, required, ...needed, passed, reasoning }
}

function textOf({ text, score, required, required_min_score: minimum, passed }: RubricItem): string {
  const mark = score === undefined ? '' : ` (${score} of 10)`
  const needed = minimum === undefined ? '' : `: at least ${minimum}`
  return `${text}${mark}${required && !passed ? ` (required${needed})` : ''}`
}
