import type * as z from 'zod'
import { defineEvaluator } from './define-evaluator.ts'
import { gradeWithPrompt, promptJudge, promptJudgeFields } from './shared/model-judges/prompt-judge.ts'

import { type CheckSubject, subjectField, subjectNeeds } from './shared/subject.ts'
import { subjectOmissions, withSubject } from './shared/subject-sentences.ts'

type Config = z.output<typeof promptJudgeFields> & { readonly subject?: CheckSubject }

export const llmJudge = defineEvaluator({
  ...promptJudge,
  type: 'llm_judge',
  aliases: ['llm_grader'],
  summary: 'A model reads the answer and scores it.',
  notes: [
    'The variables of a prompt are `{{question}}` (also `{{input}}`, `{{input_text}}`), `{{criteria}}`, `{{answer}}` (also `{{output}}`, `{{output_text}}`, `{{candidate_answer}}`), `{{reference_answer}}` (also `{{expected_output}}`, `{{expected_output_text}}`), `{{input_messages}}`, `{{expected_messages}}`, `{{output_messages}}` and `{{note}}`; `\\{{` is literal. In `{{output_messages}}`, an answer without a transcript is one assistant message, and messages of subagents are indented and marked with an `agent_id`. If all variables of a prompt are empty in a test, the check is an error.',
    'With `subject`, the judge sees that in place of the answer, also as `{{subject}}`; `{{answer}}` stays the answer. If the file is missing, the check is missed without asking the judge. A diff that is not recorded whole is marked in what the judge reads.',
  ],
  config: promptJudgeFields.extend(subjectField),
  needs: subjectNeeds,
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
