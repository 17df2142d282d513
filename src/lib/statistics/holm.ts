import { demandProbability } from './demands.ts'

/** p values of several tests at once, adjusted by the method of Holm, in the order given. */
export function holm(ps: readonly number[]): number[] {
  if (ps.length === 0) throw new RangeError('There are no p values.')
  for (const p of ps) demandProbability('A p value', p)
  const adjusted = new Array<number>(ps.length)
  let highest = 0
  for (const [rank, { p, index }] of fromTheSmallest(ps).entries()) {
    // Never below that of a smaller one.
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)))
    adjusted[index] = highest
  }
  return adjusted
}

function fromTheSmallest(ps: readonly number[]): { p: number; index: number }[] {
  return ps.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p)
}
