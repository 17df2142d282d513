import * as z from 'zod'
import { fieldMatches } from './field-match.ts'

export const fieldSchema = z
  .strictObject({
    path: z
      .string()
      .describe('Where the field is: keys with dots, list items as `[n]`. `[0]` is never the key `0` of a mapping.'),
    match: z
      .enum(Object.keys(fieldMatches) as (keyof typeof fieldMatches)[])
      .default('exact')
      .describe('How the two values are compared.'),
    weight: z.number().min(0).default(1).describe('Share of the field in the score.'),
    required: z.boolean().default(false).describe('The whole check scores 0 when this field does not match.'),
    tolerance: z.number().min(0).optional().describe('With `numeric_tolerance`: how far apart the numbers may be.'),
    relative: z.boolean().optional().describe('The tolerance is a share of the expected number.'),
    formats: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('With `date`: how dates are written, as `DD/MM/YYYY`.'),
  })
  .describe('A field that is compared.')

export type Field = z.output<typeof fieldSchema>
