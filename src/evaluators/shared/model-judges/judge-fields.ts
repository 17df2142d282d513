import * as z from 'zod'
import { votesField } from './votes.ts'

/** Common fields of checks that a model judges. */
export const judgeFields = {
  target: z
    .string()
    .min(1)
    .optional()
    .describe("The target that judges. Default: `--judge`, then the target's `judge_target`, then the target `judge`."),
  config: z
    .looseObject({
      temperature: z.number().min(0).max(2).default(0).describe('Sampling temperature of the judge.'),
    })
    .optional()
    .describe("Settings of the judge's calls."),
  ...votesField,
}

export interface JudgeSettings {
  readonly target?: string | undefined
  readonly config?: { readonly temperature: number } | undefined
  readonly votes?: number | undefined
}

/** Settings of the judge, which the sentence of a check leaves out. */
export function judgeOmissions({ target, config, votes = 1 }: JudgeSettings): string[] {
  return [
    ...(target === undefined ? [] : ['the judge']),
    ...(config === undefined || config.temperature === 0 ? [] : ['the temperature of the judge']),
    ...(votes === 1 ? [] : ['the votes of the judge']),
  ]
}
