import { z } from 'zod'
import { defineEvaluator } from './evaluator.ts'
import { promptedFields, promptedJudge } from './shared/prompted-judge.ts'

export const agentJudge = defineEvaluator({
  ...promptedJudge,
  type: 'agent_judge',
  aliases: ['agent_grader'],
  summary: 'A judge that may look around in the workspace reads the answer and scores it.',
  config: promptedFields.extend({
    max_steps: z.int().min(1).max(100).default(10).describe('How often the judge may look before it must decide.'),
  }),
  examples: [
    {
      title: 'Looks at what the agent built',
      check: { type: 'agent_judge', rubrics: ['The tests pass', 'No file outside src/ was changed'], max_steps: 20 },
    },
  ],
})
