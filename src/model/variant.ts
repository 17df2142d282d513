import type { Origin } from './location.ts'
import type { Message } from './message.ts'

/** One of several prompts of a suite. Each of them on each target is an arm. */
export interface Variant {
  readonly name: string
  /** Whether the other variants are compared with it, target by target. */
  readonly is_control: boolean
  readonly at: Origin
}

/** The input of a test in one variant. */
export interface VariantInput {
  readonly name: string
  readonly input: readonly Message[]
}

/** The name of a target, or of a variant on it. */
export function variantName(target: string, variant: string | undefined): string {
  return variant === undefined ? target : `${target}/${variant}`
}

/** The variant in the name of an arm: what follows the last slash, which names of variants do not contain. */
export function variantIn(arm: string): string {
  return arm.slice(arm.lastIndexOf('/') + 1)
}

/** The inputs of a test. */
interface Inputs {
  readonly input: readonly Message[]
  readonly variants?: readonly VariantInput[] | undefined
}

/** A test as an arm asks it: with the input of its variant. */
export function testInArm<Test extends Inputs>(
  test: Test,
  { variant }: { readonly variant?: string | undefined },
): Test {
  if (variant === undefined) return test
  const { input = test.input } = test.variants?.find(({ name }) => name === variant) ?? {}
  return { ...test, input, variants: undefined }
}
