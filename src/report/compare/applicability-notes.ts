import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Comparison } from './comparison.ts'
import { type ChangedTest, isSameTest } from './pair-tests.ts'

/** Most names of checks that a note lists. */
const MAX_NAMES = 5

/** `3 tests compared by the checks that apply to both: trigger_judge does not apply to without-skill`. */
export function applicabilityNotes(comparison: Comparison): string[] {
  const { pairs, changed } = comparison
  const unlike = changed.filter(({ outcomes }) => isSameTest(outcomes))
  return [
    ...noteOf(pairs, 'compared by the checks that apply to both', comparison),
    ...noteOf(unlike, 'not compared, since no check applies to both', comparison),
  ]
}

/** A note on those tests to which different checks apply on the two sides. */
function noteOf(tests: readonly ChangedTest[], fact: string, { before, after }: Comparison): string[] {
  const sides = ([0, 1] as const).map(side => tests.map(test => onlyMissingOn(side, test)))
  const differing = tests.filter((_, index) => sides.some(missing => (missing[index] ?? []).length > 0))
  if (differing.length === 0) return []
  const parts = [before, after].flatMap(({ label }, side) => {
    const names = [...new Set(sides[side]?.flat())]
    return names.length === 0 ? [] : [`${namesText(names)} not apply to ${label}`]
  })
  return [printableLine(`${plural(differing.length, 'test')} ${fact}: ${parts.join('; ')}`)]
}

/** The checks that do not apply to one side of a test, but to the other. */
function onlyMissingOn(side: 0 | 1, { outcomes }: ChangedTest): string[] {
  const { not_applicable: others = [] } = outcomes[side === 0 ? 1 : 0]
  return (outcomes[side].not_applicable ?? []).filter(name => !others.includes(name))
}

/** `a, b do`, or `a does`. */
function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  const listed = [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])]
  return `${listed.join(', ')} ${names.length === 1 ? 'does' : 'do'}`
}
