import * as z from 'zod'
import { PASS_MARK } from '../model/marks.ts'
import type { Check } from './evaluator.ts'

/** The fields that every check has. */
export const commonFields = {
  name: z.string().min(1).optional().describe('Name of the check in results. Default: its type.'),
  weight: z.number().min(0).default(1).describe('Share in the score of the test. 0: reported, not counted.'),
  required: z
    .union([z.boolean().transform(required => (required ? PASS_MARK : undefined)), z.number().gt(0).max(1)])
    .optional()
    .describe('The test fails when this check is below the mark: `true` for 0.8, or a number above 0 and up to 1.'),
  negate: z.boolean().default(false).describe('Turn the score around: 1 becomes 0.'),
  description: z.string().optional().describe('What the check is for.'),
  config: z.record(z.string(), z.unknown()).optional().describe('Settings handed to the judge.'),
}

/** The checks inside a check. */
export function nestedChecks(check: Check): readonly Check[] {
  return typeof check.evaluator.config === 'function'
    ? (check.config as { evaluators: readonly Check[] }).evaluators
    : []
}

/** A check in words for people. */
export function wordsOf(check: Check): readonly string[] {
  return check.evaluator.words?.(check) ?? check.evaluator.sentence(check)
}
