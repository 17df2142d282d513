import * as z from 'zod'
import { nestedValue } from './nested-value.ts'

const texts = z.array(z.string()).nullish()

const assertion = z.looseObject({
  text: z.string().describe('What is claimed.'),
  passed: z.boolean().describe('Whether it holds.'),
  evidence: z.string().nullish().describe('What shows it.'),
})

/** What a program that judges prints: a score, or claims of which the score is made. */
export const judgeOutputSchema = z
  .looseObject({
    score: z.number().min(0).max(1).optional().describe('In 0..1.'),
    hits: texts.describe('What speaks for the answer.'),
    misses: texts.describe('What speaks against it.'),
    reasoning: z.string().nullish().describe('Why.'),
    details: nestedValue.optional().describe('Anything else that is to be recorded.'),
    assertions: z.array(assertion).optional().describe('Claims; without a `score`, it is the share that holds.'),
  })
  .refine(({ score, assertions = [] }) => score !== undefined || assertions.length > 0, {
    path: ['score'],
    error: 'it is missing, and there are no claims',
  })
  .meta({ anyOf: [{ required: ['score'] }, { required: ['assertions'] }] })
  .describe('What a program that judges prints.')

export type JudgeOutput = z.output<typeof judgeOutputSchema>
