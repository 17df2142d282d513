import type { Confusion, JudgedOnly } from '../src/lib/statistics/corrected-rate.ts'
import { normalQuantile } from '../src/lib/statistics/distributions.ts'
import { CONFIDENCE_LEVEL, type Interval } from '../src/lib/statistics/intervals.ts'

const Z95 = normalQuantile((1 + CONFIDENCE_LEVEL) / 2)

/**
 * The rate of Rogan and Gladen with the interval of Lang and Reiczigel, for labels that were drawn at random. Reports do
 * not use it: with labels that were drawn by verdict, its interval misses the truth. The value is undefined where labels
 * of one kind are missing; undefined if the judge is no better than chance.
 */
export function roganGladenRate(
  confusion: Confusion,
  judged: JudgedOnly,
): { readonly value: number | undefined; readonly interval: Interval } | undefined {
  const { true_pass, false_pass, false_fail, true_fail } = confusion
  const [passes, fails, all] = [true_pass + false_fail, true_fail + false_pass, judged.pass + judged.fail]
  if (all === 0) return undefined
  const rate = (judged.pass + Z95 ** 2 / 2) / (all + Z95 ** 2)
  const sensitivity = (true_pass + 1) / (passes + 2)
  const specificity = (true_fail + 1) / (fails + 2)
  const youden = sensitivity + specificity - 1
  if (youden <= 0) return undefined
  const ofPasses = (sensitivity * (1 - sensitivity)) / (passes + 2)
  const ofFails = (specificity * (1 - specificity)) / (fails + 2)
  const p = (rate + specificity - 1) / youden
  const centre = p + 2 * Z95 ** 2 * (p * ofPasses - (1 - p) * ofFails)
  const variance = (rate * (1 - rate)) / (all + Z95 ** 2) + p ** 2 * ofPasses + (1 - p) ** 2 * ofFails
  const half = (Z95 * Math.sqrt(variance)) / youden
  return { value: plainRoganGladen(confusion, judged.pass / all), interval: within(centre - half, centre + half) }
}

function plainRoganGladen(confusion: Confusion, rate: number): number | undefined {
  const { true_pass, false_pass, false_fail, true_fail } = confusion
  const [passes, fails] = [true_pass + false_fail, true_fail + false_pass]
  if (passes === 0 || fails === 0) return undefined
  const specificity = true_fail / fails
  const youden = true_pass / passes + specificity - 1
  return youden > 0 ? Math.min(1, Math.max(0, (rate + specificity - 1) / youden)) : undefined
}

function within(low: number, high: number): Interval {
  return { low: Math.min(1, Math.max(0, low)), high: Math.max(0, Math.min(1, high)) }
}
