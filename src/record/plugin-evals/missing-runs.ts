import { withoutNullish } from '../../lib/objects.ts'
import { plural } from '../../lib/text/format.ts'
import type { AggregateCase, AggregateResult } from '../../model/aggregate-result.ts'
import type { Result } from '../../model/result.ts'

const REASONS: Readonly<Record<NonNullable<AggregateResult['partialReason']>, string>> = {
  cost_ceiling: 'cost ceiling reached',
  interrupted: 'interrupted',
  auth_failed: 'stopped, because signing in failed',
}

/** The part of the cases that a file covers, as results record it. */
export function partOf(file: AggregateResult): Pick<Result, 'partial' | 'not_made'> {
  const { assay, partial, partialReason, suite, cases } = file
  if (assay) return withoutNullish({ partial: assay.partial, not_made: assay.not_made })
  const filters = [
    ...(suite.caseFilter === undefined ? [] : [`--case ${suite.caseFilter}`]),
    ...(suite.tagFilters ?? []).map(tag => `--tag ${tag}`),
  ]
  const selected = filters.length === 0 ? [] : [`selected cases (${filters.join(' ')})`]
  if (!partial) return selected.length === 0 ? {} : { partial: selected.join('') }
  const missing = cases.reduce((sum, each) => sum + missingRuns(each, file), 0)
  const reason = partialReason === undefined ? 'not finished' : REASONS[partialReason]
  // Cases that were not started are not in the file: that no run of the others is missing does not make it complete.
  const known = missing > 0 ? `${plural(missing, 'run')} of its cases not made` : 'cases may be missing'
  return { partial: [...selected, `${reason}, ${known}`].join('; '), not_made: Math.max(1, missing) }
}

function missingRuns({ arms, runsPerCase }: AggregateCase, { suite }: AggregateResult): number {
  const isPaired = suite.ablation === 'with-without' && arms.without !== undefined
  const made = arms.with.length + (arms.without?.length ?? 0)
  return runsPerCase * (isPaired ? 2 : 1) - made
}
