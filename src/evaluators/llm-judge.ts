import type * as z from '../lib/zod.ts'
import type { Check } from '../model/check.ts'
import { type GradedTest, inexpressible, type PluginGraders } from '../model/plugin-grader.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { promptText } from './shared/model-judges/judge-prompt.ts'
import { judgeOrPanel } from './shared/model-judges/panel.ts'
import { gradeWithPrompt, promptJudge, promptJudgeFields } from './shared/model-judges/prompt-judge.ts'
import { assignIds } from './shared/model-judges/rubric.ts'
import { rubricGraders } from './shared/model-judges/rubric-graders.ts'

import { type CheckSubject, subjectField, subjectNeeds } from './shared/subject.ts'
import { subjectOmissions, withSubject } from './shared/subject-sentences.ts'

type Config = z.output<ReturnType<typeof promptJudgeFields>> & { readonly subject?: CheckSubject }

export const llmJudge = defineEvaluator({
  ...promptJudge,
  type: 'llm_judge',
  aliases: ['llm_grader'],
  summary: 'A model reads the answer and scores it.',
  notes: [
    'The variables of a prompt are `{{question}}` (also `{{input}}`, `{{input_text}}`), `{{criteria}}`, `{{answer}}` (also `{{output}}`, `{{output_text}}`, `{{candidate_answer}}`), `{{reference_answer}}` (also `{{expected_output}}`, `{{expected_output_text}}`), `{{input_messages}}`, `{{expected_messages}}`, `{{output_messages}}` and `{{note}}`; `\\{{` is literal. In `{{output_messages}}`, an answer without a transcript is one assistant message, and messages of subagents are indented and marked with an `agent_id`. If all variables of a prompt are empty in a test, the check is an error.',
    'With `subject`, the judge sees that in place of the answer, also as `{{subject}}`; `{{answer}}` stays the answer. If the file is missing, the check is missed without asking the judge. A diff that is not recorded whole is marked in what the judge reads.',
  ],
  config: () => judgeOrPanel(promptJudgeFields().extend(subjectField())),
  needs: subjectNeeds,
  plugin: gradersOf,
  sentences: withSubject({
    ...promptJudge.sentences,
    omits: (fields: Config) => [...promptJudge.sentences.omits(fields), ...subjectOmissions(fields)],
  }),
  examples: [
    { title: 'With the built-in prompt', check: { type: 'llm_judge' } },
    {
      title: 'With your own prompt',
      check: {
        type: 'llm_judge',
        name: 'tone',
        prompt: 'Is this answer friendly and to the point?\n\nQuestion: {{question}}\nAnswer: {{answer}}\n',
      },
    },
  ],
  grade: (config, subject, context) => gradeWithPrompt(config, subject, context),
})

/** A judge with rubrics becomes a grader for each of them, any other one a grader with the prompt or the criteria. */
function gradersOf({ config, negate, files }: Check<Config>, { criteria }: GradedTest): PluginGraders {
  const { prompt, rubrics } = config
  const written = prompt === undefined ? undefined : (promptText(prompt, files) ?? prompt)
  const outcome = written ?? criteria
  if (!rubrics && outcome === undefined) return inexpressible('a judge without `criteria`, `prompt` and `rubrics`')
  const items = rubrics ?? assignIds([{ outcome, weight: 1 }])
  const { graders, lost } = rubricGraders(items, { ...config, negate })
  const isFilled = written?.includes('{{') === true
  return {
    graders,
    lost: [
      ...(rubrics ? [] : ['a score between 0 and 1']),
      ...(rubrics && prompt !== undefined ? ['the prompt of the judge'] : []),
      ...(!rubrics && isFilled ? ['variables in the prompt of the judge'] : []),
      ...lost,
    ],
  }
}
