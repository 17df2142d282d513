import type { Random } from './random.ts'

/** What a fuzzer feeds to the program. */
export interface Input {
  /** What it was made from. */
  readonly from: string
  /** The files that are not as they were, by their paths. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** For choices that are made while it runs. */
  readonly salt: number
}

/** One part of the program that is fed with what it should never get. */
export interface Fuzzer {
  readonly name: string
  readonly summary: string
  /** How many times as long as that of the others its inputs take: so many fewer are run. */
  readonly slowness?: number
  /** The outcome of inputs that come through to the end, and how many of all do at least, so that it does not only test the reading of YAML. */
  readonly deep: { readonly outcome: string; readonly share: number }
  /** The same input for the same numbers. */
  make(random: Random): Input | Promise<Input>
  /** What became of an input, in few words; whatever it throws is a finding. */
  run(input: Input): Promise<string>
}

/** Something that must not be, though nothing was thrown. */
class Wrong extends Error {
  override readonly name = 'Wrong'
}

export function must(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Wrong(otherwise())
}
