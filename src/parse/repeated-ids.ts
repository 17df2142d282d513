import { shown } from '../lib/shown.ts'
import type { Check } from '../model/check.ts'
import { nestedChecks } from '../model/check.ts'
import type { Mistakes } from './mistakes.ts'

/** Ids of rubrics that stand in several checks of one test. */
export function reportRepeatedIds(checks: readonly Check[], mistakes: Mistakes): void {
  if (checks.some(({ evaluator }) => evaluator.ids || typeof evaluator.config === 'function')) {
    collect(checks, new Set(), mistakes)
  }
}

function collect(checks: readonly Check[], seen: Set<string>, mistakes: Mistakes): void {
  for (const check of checks) {
    for (const { id, path } of check.evaluator.ids?.(check.config) ?? []) {
      if (seen.has(id)) {
        const message = `another rubric has the id ${shown(id)}`
        mistakes.add({ code: 'duplicate-rubric', at: check.at.child(...path), message })
      }
      seen.add(id)
    }
    collect(nestedChecks(check), seen, mistakes)
  }
}
