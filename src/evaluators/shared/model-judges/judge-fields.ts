import * as z from 'zod'

/** Fields of every check that a model judges. */
export const judgeFields = {
  target: z
    .string()
    .min(1)
    .optional()
    .describe("The target that judges. Default: `--judge`, the target's `judge_target`, or the target `judge`."),
  config: z
    .looseObject({
      temperature: z.number().min(0).max(2).default(0).describe('Sampling temperature of the judge.'),
    })
    .optional()
    .describe("Settings for the judge's calls."),
}

interface JudgeSettings {
  readonly target?: string | undefined
  readonly config?: { readonly temperature: number } | undefined
}

/** What a check says about its judge, which no sentence about the answer does. */
export function judgeUnsaid({ target, config }: JudgeSettings): string[] {
  return [
    ...(target === undefined ? [] : ['who judges']),
    ...(config === undefined || config.temperature === 0 ? [] : ['the temperature of the judge']),
  ]
}
