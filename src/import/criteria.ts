import { isMapping } from '../lib/objects.ts'
import type { Fields } from './fields.ts'

/** Most checks that the criteria of a test are made of. */
const MOST_CHECKS = 6

/** Longest text of a check that is quoted. */
const LONGEST = 120

/**
 * What makes an answer good, from the checks of a test. A judge reads the criteria, so that they say no more than its
 * rubrics; undefined if a judge has a prompt instead.
 */
export function criteriaOf(checks: readonly Fields[], isJudged: (type: string) => boolean): string | undefined {
  const all = checks.flatMap(inner)
  const rubrics = all.filter(hasRubrics)
  const isPrompted = all.some(check => isJudged(String(check['type'])) && !hasRubrics(check) && !('value' in check))
  if (all.length === 0 || (isPrompted && rubrics.length === 0)) return undefined
  const words = rubrics.length > 0 ? rubrics.map(rubricText) : all.slice(0, MOST_CHECKS).map(describe)
  const more = rubrics.length === 0 && all.length > MOST_CHECKS ? [`and ${all.length - MOST_CHECKS} more checks`] : []
  return [...new Set([...words.filter(text => text !== ''), ...more])].join('; ') || undefined
}

/** A check, or those inside of a composite. */
function inner(check: Fields): Fields[] {
  const { evaluators, weight } = check
  if (weight === 0) return []
  return Array.isArray(evaluators) ? evaluators.filter(isMapping).flatMap(inner) : [check]
}

function hasRubrics({ criteria, rubrics }: Fields): boolean {
  return criteria !== undefined || rubrics !== undefined
}

function rubricText({ criteria, rubrics }: Fields): string {
  const items = [criteria, rubrics].flat().filter(item => item !== undefined)
  return items
    .map(item => (isMapping(item) ? String(item['outcome'] ?? item['criteria'] ?? '') : String(item)))
    .join('; ')
}

/** `contains: Oslo`, `is json` or `not contains: Rome`; a program is its name. */
function describe({ type, name, value, negate, script, command, threshold, budget }: Fields): string {
  const not = negate === true ? 'not ' : ''
  const isProgram = script !== undefined || command !== undefined
  const label = isProgram ? `accepted by ${String(name ?? 'a program')}` : String(type).replaceAll('_', ' ')
  const limit = value ?? threshold ?? budget
  const text = limit === undefined || isProgram ? '' : [limit].flat().map(String).join(', ')
  // A template must not be cut.
  const quoted = text.length > LONGEST && !text.includes('{{') ? `${text.slice(0, LONGEST)}…` : text
  return `${not}${label}${quoted === '' ? '' : `: ${quoted}`}`
}
