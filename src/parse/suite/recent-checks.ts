import { isSameJson } from '../../lib/objects.ts'
import { Check, type CheckSettings } from '../../model/check.ts'
import type { Evaluator } from '../../model/evaluator.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import { hasBareScalar, reportLongIntegers } from '../shape/written-scalars.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** Number of checks of one type that are remembered. */
const RECENT = 16

/** The checks of a suite that were loaded last. Many tests repeat them: those share their settings, and are validated once. */
export class RecentChecks {
  readonly #byType = new Map<unknown, { readonly entry: Fields; readonly settings: CheckSettings }[]>()

  /** Returns a recent check that is written alike, at its own location; otherwise loads it. */
  find(
    entry: Fields,
    at: SourceNode,
    { diagnostics, pending }: { readonly diagnostics: Diagnostics; readonly pending: readonly unknown[] },
    load: () => Check | undefined,
  ): Check | undefined {
    const recent = this.#byType.get(entry['type']) ?? []
    const known = recent.find(one => isSameJson(one.entry, entry))
    if (known) {
      // Of equal numbers, some are reported because of how they are written.
      reportLongIntegers(entry, at, diagnostics)
      return new Check(known.settings, at)
    }
    const before = diagnostics.added + pending.length
    const check = load()
    // Reports, files and the checks inside a check have locations of their own.
    const isAlone = diagnostics.added + pending.length === before && !check?.evaluator.contains_checks
    if (!check || !isAlone || hasVerbatim(check.evaluator, entry)) return check
    if (recent.length === RECENT) recent.shift()
    recent.push({ entry, settings: check.settings })
    this.#byType.set(entry['type'], recent)
    return check
  }
}

/** Whether the check depends on how the numbers of its entry are written. */
function hasVerbatim(evaluator: Evaluator, entry: Fields): boolean {
  return verbatimKeys(evaluator, entry).some(key => hasBareScalar(entry[key]))
}

/** The keys of an entry whose numbers and booleans are taken as they are written. */
export function verbatimKeys({ keys }: Evaluator, entry: Fields): readonly string[] {
  const verbatim = keys?.verbatim ?? NONE
  return typeof verbatim === 'function' ? verbatim(entry) : verbatim
}

const NONE: readonly string[] = []
