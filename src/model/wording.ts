import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** What a model is told to judge by: a prompt, or requirements item by item. */
export const wordingSchema = lazily(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('prompt'), text: z.string().min(1) }),
    z.strictObject({
      kind: z.literal('rubrics'),
      items: z.array(z.strictObject({ id: z.string().min(1), outcome: z.string().min(1) })).min(1),
    }),
  ]),
)

export type Wording = z.output<ReturnType<typeof wordingSchema>>

/** The wording of a check, and where it is written. */
export interface WrittenWording {
  readonly wording: Wording
  /** The key of the check that has it. */
  readonly key: string
  /** The value of the key, as it would be written in EVAL.yaml. */
  readonly value: unknown
  /** Absolute path of the file that has the prompt; undefined if it is written in the check, or built in. */
  readonly file?: string | undefined
}
