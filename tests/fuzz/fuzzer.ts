import type { Random } from './random.ts'

/** An input of a fuzzer. */
export interface Input {
  /** The name of the seed. */
  readonly from: string
  /** The mutated files by path. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The seed for random choices during the run. */
  readonly salt: number
}

/** Runs one part of the program on mutated inputs. */
export interface Fuzzer {
  readonly name: string
  readonly summary: string
  /** The duration of an input relative to other fuzzers; divides the number of inputs. */
  readonly slowness?: number
  /** The outcome of inputs that reach the last stage, and their minimum share, so that the fuzzer tests more than the YAML parser. */
  readonly deep: { readonly outcome: string; readonly share: number }
  /** Deterministic: equal random numbers give equal inputs. */
  make(random: Random): Input | Promise<Input>
  /** Returns the outcome in a few words; every throw is a finding. */
  run(input: Input): Promise<string>
}

/** A violated invariant. */
class Violation extends Error {
  override readonly name = 'Violation'
}

export function must(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Violation(otherwise())
}
