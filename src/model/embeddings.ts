import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { tokenUsageSchema } from './answer.ts'

export const embeddingsSchema = lazily(() =>
  z.strictObject({
    vectors: z.array(z.array(z.number())).describe('A vector for each text, in their order.'),
    token_usage: tokenUsageSchema().optional(),
  }),
)

/** The vectors of texts. */
export type Embeddings = z.output<ReturnType<typeof embeddingsSchema>>
