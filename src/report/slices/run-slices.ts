import type { RunReader } from '../../model/run-reader.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import { sliceKey } from './slice-key.ts'
import { type Slice, slicesOf } from './slices.ts'

/** The slices of a run by one key. */
export interface RunSlices {
  readonly by: string
  readonly slices: readonly Slice[]
}

/** Slices a run; undefined if that is not asked for. */
export function runSlices(
  run: RunReader,
  { tests }: Pick<Outcome, 'tests'>,
  by: string | undefined,
): RunSlices | undefined {
  if (by === undefined) return undefined
  return { by, slices: slicesOf(tests, sliceKey(by).namesIn(run)) }
}
