import { formatPercent, formatShare, plural } from '../lib/text/format.ts'
import { formatP } from './compare/text/format-values.ts'
import { formatInterval } from './estimates-text.ts'
import type { PairedTarget, SwappedOrders } from './outcome/paired-answers.ts'
import type { Outcome } from './outcome/run-outcome.ts'

/** A probability below this is evidence that the judge prefers a place. */
const LEAST_CHANCE = 0.05

/** A line for each target that is compared, and one on the judge; empty without comparisons. */
export function pairTexts({ pairs }: Pick<Outcome, 'pairs'>): string[] {
  if (!pairs) return []
  const { comparisons, orders } = pairs
  return [...comparisons.map(comparisonText), ...(orders ? [ordersText(orders), ...onlyTies(comparisons, orders)] : [])]
}

/** `new against target old: 12 wins, 3 losses, 5 ties (2 of equal texts)`. */
function comparisonText({ target, against, wins, losses, ties, equal }: PairedTarget): string {
  const counts = [count(wins, 'win', 'wins'), count(losses, 'loss', 'losses'), count(ties, 'tie', 'ties')]
  const same = equal === 0 ? '' : ` (${equal} of equal texts)`
  return `${target} against ${against}: ${counts.join(', ')}${same}`
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}

/** `judge of pairs: both orders agree in 86 of 100: 86 % [78–91]; the first place won …`. */
function ordersText({ pairs, agree, agree_interval, ...places }: SwappedOrders): string {
  const share = `${formatPercent(agree / pairs)}${formatInterval(agree_interval, formatShare)}`
  return `judge of pairs: both orders agree in ${agree} of ${pairs}: ${share}${placesText(pairs - agree, places)}`
}

type Places = Pick<SwappedOrders, 'first_place' | 'second_place' | 'position_p'>

/** `; the first place won both orders in 12 of 14 disagreements (p = 0.007): the judge prefers the first place`. */
function placesText(disagreements: number, { first_place, second_place, position_p }: Places): string {
  if (first_place + second_place === 0) return ''
  const [place, won] = first_place >= second_place ? ['first', first_place] : ['second', second_place]
  const found = position_p < LEAST_CHANCE ? `: the judge prefers the ${place} place` : ''
  return `; the ${place} place won both orders in ${won} of ${plural(disagreements, 'disagreement')} (${formatP(position_p)})${found}`
}

/** Says why no side ever wins, if that is due to the judge and not to the answers. */
function onlyTies(comparisons: readonly PairedTarget[], orders: SwappedOrders): string[] {
  const { pairs, first_place, second_place } = orders
  const isDecided = comparisons.some(({ wins, losses }) => wins + losses > 0)
  if (isDecided || (first_place !== pairs && second_place !== pairs)) return []
  const place = first_place === pairs ? 'first' : 'second'
  return [
    `no comparison has a winner: the judge chose the ${place} place in both orders of every pair, so these ties say nothing about the answers`,
  ]
}
