import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** The settings of a run that goes on until it is decided. They are recorded, so that a resumed run decides the same. */
export const decidingSchema = lazily(() =>
  z
    .strictObject({
      seed: z.int().min(0).describe('Seed of the order of the tests.'),
      alpha: z.number().gt(0).lt(0.5).describe('Error probability of each side.'),
      rho: z.number().gt(0).describe('Exponent of error spending.'),
      max_trials: z.int().min(1).describe('Maximum number of pairs per test, on average.'),
      lag: z.int().min(1).describe('Number of pairs that may run at once after the first pair of every test.'),
    })
    .describe('Settings of `--until-decided`.'),
)

/** The decision about a target: against its control, or against a pass rate. */
export const decisionSchema = lazily(() =>
  z
    .strictObject({
      target: z.string(),
      control: z.string().optional().describe('The control arm; absent for a decision about a pass rate.'),
      threshold: z.number().optional().describe('The pass rate to reach; absent for a comparison with a control.'),
      decision: z
        .enum(['better', 'worse', 'above', 'below', 'reached', 'missed', 'not-shown'])
        .describe(
          'What was shown: better or worse than the control; a true pass rate above or below the threshold; a pass rate of all tests that is certain to reach or to miss it.',
        ),
      after: z.int().min(0).describe('Number of pairs, or tests, at the decision.'),
      of: z.int().min(0).describe('Maximum number of pairs, or tests.'),
      improved: z.int().min(0).optional().describe('Pairs in which only the target passed.'),
      worsened: z.int().min(0).optional().describe('Pairs in which only the control passed.'),
      passed: z.number().min(0).optional().describe('Passed tests, for a decision about a pass rate.'),
      estimate: z.number().describe('Difference of the pass rates, or the pass rate.'),
      low: z.number().describe('Lower end of the 95 % interval, which holds at every look.'),
      high: z.number().describe('Upper end of the interval.'),
      is_mixed: z.literal(true).optional().describe('Only some tests are shown to differ: the interval contains 0.'),
      errors_decide: z
        .literal(true)
        .optional()
        .describe('With and without errored attempts, the pairs show different things.'),
    })
    .describe('What a run with `--until-decided` decided.'),
)

export type Deciding = z.output<ReturnType<typeof decidingSchema>>
export type Decision = z.output<ReturnType<typeof decisionSchema>>

/** How far a run is from a decision about a target. */
export interface Evidence extends Pick<Decision, 'target' | 'control' | 'threshold' | 'after' | 'of'> {
  readonly improved?: number | undefined
  readonly worsened?: number | undefined
  readonly passed?: number | undefined
  /** The fewest further pairs, or tests, that could decide; undefined if it is decided, or cannot be. */
  readonly distance: number | undefined
  readonly decision: Decision['decision'] | undefined
}
