import { plural } from '../../../lib/text/format.ts'
import type { Freshness } from './calibration-freshness.ts'
import type { GroupRefusal } from './corrected-group.ts'

/** Why the pass rate of a suite is not corrected. */
export type Refusal = (GroupRefusal | Exclude<Freshness, { readonly kind: 'fresh' }>) & { readonly suite: string }

/** Maximum number of tests that are named. */
const MAX_NAMED = 3

/** What is wrong, and what to do. `run` is how the run is named in commands. */
export function refusalText(refusal: Refusal, run: string): string {
  const { suite } = refusal
  const calibrate = `run \`assay calibrate ${run}\``
  switch (refusal.kind) {
    case 'missing':
      return `${suite} has no calibration; ${calibrate}`
    case 'other-judge':
      return `the calibration of ${suite} is stale, since it is of another judge; ${calibrate}`
    case 'changed-checks':
      return `the calibration of ${suite} is stale, since the checks of ${namesText(refusal.test_ids)} have changed or are new; ${calibrate}`
    case 'changed-labels':
      return `the calibration of ${suite} is stale, since labels were changed or removed; ${calibrate}`
    case 'unrecorded-judge':
      return `the records of ${suite} do not name the judge; run the suite again`
    case 'no-better-than-chance':
      return `${plural(refusal.labels, 'label')} of other answers do not show that the judge of ${suite} is better than chance; label answers of this run, then ${calibrate}`
    case 'one-kind':
      return `the ${plural(refusal.labels, 'label')} of other answers for ${suite} are all of one kind; label answers of this run, then ${calibrate}`
  }
}

/** `a, b, c and 4 more tests`. */
function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${plural(more, 'more test')}` : ''}`
}
