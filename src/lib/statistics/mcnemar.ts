import { demandCount } from './demands.ts'
import { incompleteBeta } from './incomplete-beta.ts'

/**
 * The mid-p test of McNemar, two-sided: how likely pairs that differ are to be divided more unevenly than these, one way
 * and the other way, if each were the toss of a coin; a division just as uneven counts half. Never 0: the smallest number
 * is given for what is smaller.
 */
export function midPMcNemar(oneWay: number, otherWay: number): number {
  demandCount('The number of pairs that differ one way', oneWay)
  demandCount('The number of pairs that differ the other way', otherWay)
  const [less, more] = [Math.min(oneWay, otherWay), Math.max(oneWay, otherWay)]
  if (less === more) return 1
  // Twice the lower end of the binomial distribution, less its last step: the ends with that step and without it.
  const withStep = incompleteBeta(more, less + 1, 0.5)
  const withoutStep = less === 0 ? 0 : incompleteBeta(more + 1, less, 0.5)
  return Math.min(1, Math.max(Number.MIN_VALUE, withStep + withoutStep))
}
