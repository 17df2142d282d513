import * as z from 'zod'
import type { Check } from '../../../model/check.ts'
import type { Evaluator, GradeContext, Subject } from '../../../model/evaluator.ts'
import type { Grade } from '../../../model/grade.ts'
import type { Look } from '../../../model/prompt.ts'
import { Fence } from './fence.ts'
import { filledPrompt } from './filled-prompt.ts'
import { judgeFields, judgeUnsaid } from './judge-fields.ts'
import { judgeMaterial } from './judge-material.ts'
import { promptFiles, promptIssues, promptSentence, promptText } from './judge-prompt.ts'
import { rubricIds, rubricIssues, rubricList, rubricSentences, rubricUnsaid } from './rubric.ts'
import { gradeRubrics } from './rubric-grade.ts'
import { gradeByScore } from './score-grade.ts'

/** Fields of a judge that is told in prose what to look for. */
export const promptedFields = z.strictObject({
  prompt: z.string().min(1).optional().describe('What to judge: text, or the path of a file. Default: our own prompt.'),
  rubrics: rubricList.optional().describe('What a good answer does.'),
  ...judgeFields,
})

type PromptedConfig = z.output<typeof promptedFields>

/** What such judges have in common. */
export const promptedJudge = {
  judge: ({ target }) => ({ target }),
  files: ({ prompt }) => promptFiles(prompt),
  issues: ({ prompt, rubrics = [] }, files) => [...promptIssues(prompt, files), ...rubricIssues(rubrics, 'rubrics')],
  ids: ({ rubrics = [] }) => rubricIds(rubrics, 'rubrics'),
  unsaid: ({ rubrics = [], ...settings }) => [...rubricUnsaid(rubrics), ...judgeUnsaid(settings)],
  sentence: (check: Check<PromptedConfig>) => {
    const { prompt, rubrics = [] } = check.config
    const sentences = rubricSentences(rubrics, check.negate)
    if (prompt !== undefined) return [promptSentence(prompt, check), ...sentences]
    if (sentences.length > 0) return sentences
    return [check.negate ? 'Output does not meet the criteria' : 'Output meets the criteria']
  },
} satisfies Partial<Evaluator<PromptedConfig>>

const OUR_PROMPT =
  'Judge the answer by the criteria, and by the good answer where there is one: does it do what was asked, fully and correctly?'

/** What such a judge finds: of each rubric where there are some, else one score. */
export async function gradePrompted(
  { prompt, rubrics, config }: PromptedConfig,
  subject: Subject,
  context: GradeContext,
  look?: Look,
): Promise<Grade> {
  const material = await judgeMaterial(subject, context.host)
  const fence = new Fence(material, subject)
  const template = prompt === undefined ? OUR_PROMPT : (promptText(prompt, context.files) ?? prompt)
  const judged = { text: filledPrompt(template, material, fence), fence, temperature: config?.temperature ?? 0, look }
  return rubrics ? gradeRubrics(rubrics, judged, context) : gradeByScore(judged, context)
}
