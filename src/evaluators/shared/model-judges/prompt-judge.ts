import { lazily } from '../../../lib/lazily.ts'
import { withFields } from '../../../lib/objects.ts'
import { mean } from '../../../lib/statistics/means.ts'
import * as z from '../../../lib/zod.ts'
import type { CheckInWords, Evaluator, GradeContext, Subject } from '../../../model/evaluator.ts'
import type { Grade } from '../../../model/grade.ts'
import type { Look } from '../../../model/prompt.ts'
import { absentGrade, type CheckSubject, isOther, lookAt, nameOf } from '../subject.ts'
import type { JudgeTask } from './ask-judge.ts'
import { judgeFields, judgeNeeds, judgeOmissions } from './judge-fields.ts'
import { Fence, judgeMaterial } from './judge-material.ts'
import {
  fillPrompt,
  promptDoubts,
  promptFiles,
  promptIssues,
  promptSentence,
  promptText,
  subjectInstruction,
} from './judge-prompt.ts'
import { rubricIds, rubricIssues, rubricList, rubricOmissions, rubricSentences } from './rubric.ts'
import { gradeRubrics, missedRubrics } from './rubric-grade.ts'
import { askVotes, judgeOfVote } from './votes.ts'
import { promptWording } from './wording.ts'

/** Fields of a judge with a prompt. */
export const promptJudgeFields = lazily(() =>
  z.strictObject({
    prompt: z
      .string()
      .min(1)
      .optional()
      .describe('The instructions for the judge: text, or the path of a file. Default: a built-in prompt.'),
    rubrics: rubricList().optional().describe('Requirements for a good answer.'),
    ...judgeFields(),
  }),
)

type PromptJudgeConfig = z.output<ReturnType<typeof promptJudgeFields>>

const OUR_PROMPT =
  'Judge the answer by the criteria, and by the good answer where there is one: does it do what was asked, fully and correctly?'

/** The members that judges with a prompt share. */
export const promptJudge = {
  judge: judgeNeeds,
  keys: { prompts: ['prompt'] },
  files: ({ prompt }) => promptFiles(prompt),
  probing: { doubts: ({ prompt }, files) => promptDoubts(prompt, files) },
  wording: promptWording(OUR_PROMPT),
  validate: {
    check: ({ prompt, rubrics = [] }, files) => [...promptIssues(prompt, files), ...rubricIssues(rubrics, 'rubrics')],
    ids: ({ rubrics = [] }) => rubricIds(rubrics, 'rubrics'),
  },
  sentences: {
    write: (check: CheckInWords<PromptJudgeConfig>) => {
      const { prompt, rubrics = [] } = check.config
      const sentences = rubricSentences(rubrics, check.negate)
      if (prompt !== undefined) return [promptSentence(prompt, check), ...sentences]
      if (sentences.length > 0) return sentences
      return [check.negate ? 'Output does not meet the criteria' : 'Output meets the criteria']
    },
    omits: ({ rubrics = [], ...settings }) => [...rubricOmissions(rubrics), ...judgeOmissions(settings)],
  },
} satisfies Partial<Evaluator<PromptJudgeConfig>>

/** Grades with a prompt: item by item if there are rubrics, else with one score. */
export async function gradeWithPrompt(
  { prompt, rubrics, config, votes, judges, subject }: PromptJudgeConfig & { readonly subject?: CheckSubject },
  of: Subject,
  context: GradeContext,
  look?: Look,
): Promise<Grade> {
  const looked = isOther(subject) ? await lookAt(subject, of, context) : undefined
  if (looked && 'absent' in looked) return rubrics ? missedRubrics(rubrics, looked.absent) : absentGrade(looked.absent)
  const material = await judgeMaterial(of, context.host, looked?.text)
  const fence = new Fence(material, of)
  const template = prompt === undefined ? OUR_PROMPT : (promptText(prompt, context.files) ?? prompt)
  const filled = fillPrompt(template, material, fence)
  const text = looked ? `${subjectInstruction(nameOf(subject))}\n\n${filled}` : filled
  const judged = { text, fence, temperature: config?.temperature ?? 0, votes, judges, look }
  return rubrics ? gradeRubrics(rubrics, judged, context) : gradeByScore(judged, context)
}

const SHAPE =
  '`{"score": a number from 0 to 1, "hits": ["what speaks for the answer"], "misses": ["what speaks against it"], "reasoning": "why"}`.'

const schema = lazily(() =>
  z.object({
    score: z.number().min(0).max(1),
    hits: z.array(z.string()).default([]),
    misses: z.array(z.string()).default([]),
    reasoning: z.string().default(''),
  }),
)

/** Asks for one score per vote. The mean counts; the findings are those of the vote next to it. */
async function gradeByScore(judged: JudgeTask, context: GradeContext): Promise<Grade> {
  const replies = await askVotes(withFields(judged, { schema: schema(), shape: SHAPE }), context)
  if (replies[0] && replies.length === 1) return replies[0].reply
  const score = mean(replies.map(({ reply }) => reply.score))
  const distance = (vote: (typeof replies)[number]) => Math.abs(vote.reply.score - score)
  const [nearest] = [...replies].sort((a, b) => distance(a) - distance(b))
  const { hits = [], misses = [], reasoning } = nearest?.reply ?? {}
  const votes = replies.map(vote => {
    const { score, reasoning } = vote.reply
    return { score, reasoning, ...judgeOfVote(vote) }
  })
  return { score, hits, misses, reasoning, votes }
}
