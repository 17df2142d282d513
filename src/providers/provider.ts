import type { z } from 'zod'
import type { Issue } from '../model/issue.ts'

/** One kind of target: everything the program knows about it stands in its one file. */
export interface Provider<Config = unknown> {
  readonly type: string
  /** One sentence for the reference and for editors. */
  readonly summary: string
  /** The fields of its own. */
  readonly config: z.ZodObject
  readonly examples: readonly TargetExample[]
  /** What is wrong with a target whose fields have the right shape. */
  issues?(config: Config): readonly Issue[]
}

export interface TargetExample {
  readonly title: string
  /** The target as it is written in targets.yaml. */
  readonly target: Readonly<Record<string, unknown>>
}

/** A provider with the type of its fields inferred from its schema. */
export function defineProvider<Schema extends z.ZodObject>(
  provider: Omit<Provider<z.output<Schema>>, 'config'> & { readonly config: Schema },
): Provider<z.output<Schema>> {
  return provider
}
