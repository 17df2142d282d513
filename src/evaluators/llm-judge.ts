import { defineEvaluator } from './evaluator.ts'
import { gradePrompted, promptedFields, promptedJudge } from './shared/model-judges/prompted-judge.ts'

export const llmJudge = defineEvaluator({
  ...promptedJudge,
  type: 'llm_judge',
  aliases: ['llm_grader'],
  summary: 'A model reads the answer and scores it.',
  config: promptedFields,
  examples: [
    { title: 'With our prompt', check: { type: 'llm_judge' } },
    {
      title: 'With a prompt of your own',
      check: {
        type: 'llm_judge',
        name: 'tone',
        prompt: 'Is this answer friendly and to the point?\n\nQuestion: {{question}}\nAnswer: {{answer}}\n',
      },
    },
  ],
  grade: (config, subject, context) => gradePrompted(config, subject, context),
})
