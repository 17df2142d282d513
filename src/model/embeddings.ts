import * as z from 'zod'
import { tokenUsageSchema } from './answer.ts'

export const embeddingsSchema = z.strictObject({
  vectors: z.array(z.array(z.number())).describe('A vector for each text, in their order.'),
  token_usage: tokenUsageSchema.optional(),
})

/** The vectors of texts. */
export type Embeddings = z.output<typeof embeddingsSchema>
