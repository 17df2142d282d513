import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { JudgeNeeds } from '../../../model/evaluator.ts'
import { judgesField } from './panel.ts'
import { votesField } from './votes.ts'

/** Common fields of checks that a model judges. */
export const judgeFields = lazily(() => ({
  target: z
    .string()
    .min(1)
    .optional()
    .describe("The target that judges. Default: `--judge`, then the target's `judge_target`, then the target `judge`."),
  ...judgesField(),
  config: z
    .looseObject({
      temperature: z.number().min(0).max(2).default(0).describe('Sampling temperature of the judge.'),
    })
    .optional()
    .describe("Settings of the judge's calls."),
  ...votesField(),
}))

export interface JudgeSettings {
  readonly target?: string | undefined
  readonly judges?: readonly string[] | undefined
  readonly config?: { readonly temperature: number } | undefined
  readonly votes?: number | undefined
}

/** What a check with these settings needs of its judges. */
export function judgeNeeds({ target, judges, votes }: JudgeSettings): JudgeNeeds {
  return { target, judges, calls: votes }
}

/** Settings of the judge, which the sentence of a check leaves out. */
export function judgeOmissions({ target, judges, config, votes = 1 }: JudgeSettings): string[] {
  return [
    ...(target === undefined ? [] : ['the judge']),
    ...(judges === undefined ? [] : ['the panel of judges']),
    ...(config === undefined || config.temperature === 0 ? [] : ['the temperature of the judge']),
    ...(votes === 1 ? [] : ['the votes of the judge']),
  ]
}
