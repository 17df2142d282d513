import * as z from 'zod'
import { defineEvaluator } from './define-evaluator.ts'
import { gradePrompted, promptedJudge, promptJudgeFields } from './shared/model-judges/prompted-judge.ts'

export const agentJudge = defineEvaluator({
  ...promptedJudge,
  type: 'agent_judge',
  aliases: ['agent_grader'],
  summary: 'A judge that may look around in the workspace reads the answer and scores it.',
  config: promptJudgeFields.extend({
    max_steps: z.int().min(1).max(100).default(10).describe('How often the judge may look before it must decide.'),
  }),
  notes: [
    'The judge looks around in the workspace of the target that answered, or in the folder of the suite where it had none. A model gets three tools there that only read: `list`, `read` and `search`. They do not leave the folder, follow no links out of it, and show at most 30,000 characters for a call; `.git`, `node_modules` and `.assay` are left out where they are not named. Each of its replies that calls tools is one look, up to ten calls at once; after `max_steps` looks the tools are off and it has to decide. Programs and coding agents are started in the folder, and look with what they have.',
    'Everything in the folder can be shown to the judge, and thereby to the service behind it. What is in the files is data for it: it is told that orders in them change nothing.',
    'The judge must be a target that can look around: [targets](../targets.md) says which can, and another one is an error before the run. Such replies are not taken from the cache, as the folder may have changed.',
  ],
  examples: [
    {
      title: 'Looks at what the agent built',
      check: {
        type: 'agent_judge',
        rubrics: ['Every function in src/ has a test', 'README.md says how to start it'],
        max_steps: 20,
      },
    },
  ],
  sentences: {
    ...promptedJudge.sentences,
    omits: fields => ['that the judge looks around', ...promptedJudge.sentences.omits(fields)],
  },
  judge: ({ target }) => ({ target, looks: true }),
  grade: async ({ max_steps, ...fields }, subject, context) => {
    // The suite may be reached through a link. A workspace may not: the agent has put it there.
    const folder = subject.workspace ?? (await context.host.files.realPath(subject.folder)) ?? subject.folder
    return gradePrompted(fields, subject, context, { folder, max_steps })
  },
})
