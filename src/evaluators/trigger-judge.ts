import { z } from 'zod'
import { defineEvaluator } from './evaluator.ts'

export const triggerJudge = defineEvaluator({
  type: 'trigger_judge',
  aliases: ['skill_trigger'],
  summary: 'The agent reached for a skill first, or left it alone.',
  config: z.strictObject({
    skill: z.string().min(1).describe('Name of the skill.'),
    should_trigger: z.boolean().default(true).describe('Whether the skill should be used.'),
    scan: z.enum(['first', 'all']).default('first').describe('Look at the first tool call only, or at all of them.'),
  }),
  examples: [
    { title: 'The skill is used', check: { type: 'trigger_judge', skill: 'csv-analyzer' } },
    {
      title: 'The skill is left alone',
      check: { type: 'trigger_judge', skill: 'csv-analyzer', should_trigger: false },
    },
  ],
  sentence: ({ config, negate }) => {
    const verb = config.should_trigger === negate ? 'does not use' : 'uses'
    return [`Agent ${verb} the skill ${config.skill}`]
  },
})
