import * as z from '../lib/zod.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { judgeNeeds } from './shared/model-judges/judge-fields.ts'
import { judgeOrPanel } from './shared/model-judges/panel.ts'
import { gradeWithPrompt, promptJudge, promptJudgeFields } from './shared/model-judges/prompt-judge.ts'
import { requireUntouched, workspaceGone } from './shared/workspace/workspace-root.ts'

export const agentJudge = defineEvaluator({
  ...promptJudge,
  type: 'agent_judge',
  aliases: ['agent_grader'],
  summary: 'A judge inspects the workspace, reads the answer and scores it.',
  config: () =>
    judgeOrPanel(
      promptJudgeFields().extend({
        max_steps: z
          .int()
          .min(1)
          .max(100)
          .default(10)
          .describe('Maximum number of steps in which the judge inspects files.'),
      }),
    ),
  notes: [
    'The judge inspects the workspace of the target that answered, or the folder of the suite if there is no workspace. A model gets three read-only tools: `list`, `read` and `search`. They do not leave the folder, do not follow links out of it, and return at most 30,000 characters per call; `.git`, `node_modules` and `.assay` are skipped unless they are named. A reply with tool calls, at most ten, is one step; after `max_steps` steps the tools are disabled and the judge has to decide. Programs and coding agents are started in the folder and use their own tools.',
    'The judge, and therefore the service behind it, can read everything in the folder. It is instructed to treat the content of files as data and to ignore instructions in them.',
    'The judge must be a target that can inspect files (see [targets](../targets.md)); any other target is reported before the run. Replies are not cached, because the folder may have changed.',
  ],
  examples: [
    {
      title: 'Inspect what the agent built',
      check: {
        type: 'agent_judge',
        rubrics: ['Every function in src/ has a test', 'README.md says how to start it'],
        max_steps: 20,
      },
    },
  ],
  sentences: {
    ...promptJudge.sentences,
    omits: fields => ['that the judge looks around', ...promptJudge.sentences.omits(fields)],
  },
  judge: settings => ({ ...judgeNeeds(settings), looks: true }),
  grade: async ({ max_steps, ...fields }, subject, context) => {
    requireUntouched(subject)
    if (subject.workspace === undefined && subject.answer.changes) throw workspaceGone('a judge inspects it')
    // A link to the suite is followed. A link to a workspace is not: the agent may have created it.
    const folder = subject.workspace ?? (await context.host.files.realPath(subject.folder)) ?? subject.folder
    return gradeWithPrompt(fields, subject, context, { folder, max_steps })
  },
})
