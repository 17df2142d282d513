import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Comparison } from './comparison.ts'
import type { Pair } from './pair-tests.ts'

/** Most names of checks that a note lists. */
const MAX_NAMES = 5

/** `3 tests graded by different checks: trigger_judge does not apply to without-skill`. */
export function applicabilityNotes({ before, after, pairs }: Comparison): string[] {
  const sides = ([0, 1] as const).map(side => pairs.map(pair => onlyMissingOn(side, pair)))
  const differing = pairs.filter((_, index) => sides.some(missing => (missing[index] ?? []).length > 0))
  if (differing.length === 0) return []
  const parts = [before, after].flatMap(({ label }, side) => {
    const names = [...new Set(sides[side]?.flat())]
    return names.length === 0 ? [] : [`${namesText(names)} not apply to ${label}`]
  })
  return [printableLine(`${plural(differing.length, 'test')} graded by different checks: ${parts.join('; ')}`)]
}

/** The checks that do not apply to one side of a pair, but to the other. */
function onlyMissingOn(side: 0 | 1, { outcomes }: Pair): string[] {
  const { not_applicable: others = [] } = outcomes[side === 0 ? 1 : 0]
  return (outcomes[side].not_applicable ?? []).filter(name => !others.includes(name))
}

/** `a, b do`, or `a does`. */
function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  const listed = [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])]
  return `${listed.join(', ')} ${names.length === 1 ? 'does' : 'do'}`
}
