import { z } from 'zod'
import type { Check, Evaluator } from '../evaluator.ts'
import { judgeFields } from './judge-fields.ts'
import { promptFiles, promptIssues, promptSentence } from './judge-prompt.ts'
import { rubricIds, rubricIssues, rubricList, rubricSentences } from './rubric.ts'

/** Fields of a judge that is told in prose what to look for. */
export const promptedFields = z.strictObject({
  prompt: z.string().min(1).optional().describe('What to judge: text, or the path of a file. Default: our own prompt.'),
  rubrics: rubricList.optional().describe('What a good answer does.'),
  ...judgeFields,
})

type PromptedConfig = z.output<typeof promptedFields>

/** What such judges have in common. */
export const promptedJudge = {
  files: ({ prompt }) => promptFiles(prompt),
  issues: ({ prompt, rubrics = [] }, files) => [...promptIssues(prompt, files), ...rubricIssues(rubrics, 'rubrics')],
  ids: ({ rubrics = [] }) => rubricIds(rubrics, 'rubrics'),
  sentence: (check: Check<PromptedConfig>) => {
    const { prompt, rubrics = [] } = check.config
    const sentences = rubricSentences(rubrics, check.negate)
    if (prompt !== undefined) return [promptSentence(prompt, check), ...sentences]
    if (sentences.length > 0) return sentences
    return [check.negate ? 'Output does not meet the criteria' : 'Output meets the criteria']
  },
} satisfies Partial<Evaluator<PromptedConfig>>
