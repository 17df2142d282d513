import { withoutNullish } from '../../lib/objects.ts'
import { slug } from '../../lib/paths.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'
import { lowestMark } from './assertions.ts'
import type { MatrixDialect } from './dialect.ts'
import { literal } from './fill-variables.ts'

/** How a test passes, and what asks it. */
interface TestExecution {
  readonly threshold: number | undefined
  /** Whether the threshold decides, and not each check. */
  readonly is_scored: boolean
  readonly checks: readonly Fields[]
  readonly skip: string | undefined
  /** Names of what asks it; undefined for all of the suite. */
  readonly arms: readonly string[] | undefined
  readonly trials: number | undefined
}

export function executionOf({ threshold, is_scored, checks, skip, arms, trials }: TestExecution): Fields | undefined {
  const lowest = lowestMark(checks)
  const mark = is_scored ? Math.min(1, Math.max(0.001, threshold ?? 0.001)) : lowest < 0.8 ? lowest : undefined
  const fields = withoutNullish({ ...targetFields(arms ?? []), trials, threshold: mark, skip })
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** One target is `target`, several are `targets`. */
export function targetFields(names: readonly string[]): Fields {
  if (names.length === 0) return {}
  return names.length === 1 ? { target: names[0] } : { targets: names }
}

/** Trials of `repeat`, if it is a number that suites may have. */
export function trialsOf(options: Written | undefined): number | undefined {
  const repeat = options?.get('repeat')?.number()
  return repeat !== undefined && Number.isInteger(repeat) && repeat > 1 && repeat <= 100 ? repeat : undefined
}

export function metadataOf(written: Written): Fields | undefined {
  const metadata = written.get('metadata')
  if (!metadata?.isMapping()) return undefined
  const { tags, ...others } = metadata.value as Fields
  const list = Array.isArray(tags) ? tags : tags === undefined ? undefined : [tags]
  return literal(withoutNullish({ tags: list?.map(String), ...others }))
}

/** Notes the keys and options of a test that are not read. */
export function noteTestKeys(written: Written, { knownTestKeys }: MatrixDialect, { notes }: ImportContext): void {
  const place = (key: string) => written.at.child(key)
  for (const [key] of written.entries())
    if (!knownTestKeys.includes(key)) notes.leftOut(place(key), `the key ${quoteCode(key)} of a test`, 'key')
  for (const [key, value] of written.get('options')?.entries() ?? [])
    if (!KNOWN_OPTIONS.includes(key) && value.value !== undefined)
      notes.leftOut(value.at, `the option ${quoteCode(key)} of a test`, 'key')
}

const KNOWN_OPTIONS = [
  ...['prefix', 'suffix', 'disableVarExpansion', 'disableDefaultAsserts', 'provider', 'repeat'],
  ...['transform', 'postprocess'],
]

const LONGEST_ID = 60

/** Gives tests ids that differ: their own or their description, or their number. */
export class TestIds {
  readonly #taken = new Set<string>()

  take(written: Written, number: number, prompt: string | undefined): string {
    const own = written.get('id')?.text() ?? slug(written.get('description')?.text() ?? '', LONGEST_ID)
    const base = own.trim() === '' ? `test-${number}` : own
    const name = prompt === undefined ? base : `${base}-${prompt}`
    let id = name
    for (let next = 2; this.#taken.has(id); next++) id = `${name}-${next}`
    this.#taken.add(id)
    return id
  }
}
