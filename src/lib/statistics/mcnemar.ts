import { demandCount } from './demands.ts'
import { incompleteBeta } from './incomplete-beta.ts'

/**
 * The exact test of McNemar, two-sided: how likely pairs that differ are to be divided at least as unevenly as these, one
 * way and the other way, if each were the toss of a coin. Never 0: the smallest number stands for what is smaller.
 */
export function exactMcNemar(oneWay: number, otherWay: number): number {
  demandCount('The number of pairs that differ one way', oneWay)
  demandCount('The number of pairs that differ the other way', otherWay)
  const [less, more] = [Math.min(oneWay, otherWay), Math.max(oneWay, otherWay)]
  // No way to divide them is more even.
  if (more - less <= 1) return 1
  // The lower end of the binomial distribution is an incomplete beta function.
  return Math.min(1, Math.max(Number.MIN_VALUE, 2 * incompleteBeta(more, less + 1, 0.5)))
}
