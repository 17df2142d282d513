import { plural } from '../../lib/text/format.ts'
import { IDENTITY_VERSION } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { UserError } from '../../model/user-error.ts'
import { baselinePath } from '../../record/baseline-file.ts'
import { comparedBaseline } from '../../report/baseline/compared-baseline.ts'
import { type AgainstComparison, compareAgainst } from '../../report/compare/against.ts'
import type { Comparison } from '../../report/compare/comparison.ts'
import { judgeWarnings } from '../../report/compare/text/comparison-notes.ts'
import { sectionOf } from '../../report/compare/text/comparison-section.ts'
import type { BaselineVerdict } from '../../report/html/view-data.ts'
import type { Outcome } from '../../report/outcome/run-outcome.ts'
import { DEFAULT_BASELINE, loadBaseline } from '../baselines/saved-results.ts'
import { InvalidFile } from '../invalid-file.ts'

type Reference = Parameters<typeof compareAgainst>[1]['reference']

/** What runs are against the baseline `main`, as it is now. */
export class BaselineVerdicts {
  readonly #path: string
  readonly #host: Host
  #read: { readonly state: string; readonly reference: Reference | 'stale' | undefined } | undefined

  constructor(settingsFolder: string, host: Host) {
    this.#path = baselinePath(settingsFolder, DEFAULT_BASELINE)
    this.#host = host
  }

  /** Changes whenever the baseline does. */
  async state(): Promise<string> {
    return JSON.stringify((await this.#host.files.facts(this.#path).catch(() => undefined)) ?? null)
  }

  /** Undefined without a baseline, for a part of a run, and where the two have nothing in common. */
  async verdictOf(run: RunReader, outcome: Outcome): Promise<BaselineVerdict | undefined> {
    if (!isWhole(outcome)) return undefined
    const reference = await this.#reference()
    if (reference === undefined) return undefined
    if (reference === 'stale') return { verdict: 'stale', text: `the baseline ${DEFAULT_BASELINE} cannot be used` }
    try {
      return verdictIn(compareAgainst(run, { reference }))
    } catch (error) {
      // No target is in both.
      if (error instanceof UserError) return undefined
      throw error
    }
  }

  async #reference(): Promise<Reference | 'stale' | undefined> {
    const state = await this.state()
    if (this.#read?.state !== state) this.#read = { state, reference: await this.#load(state) }
    return this.#read.reference
  }

  async #load(state: string): Promise<Reference | 'stale' | undefined> {
    if (state === 'null') return undefined
    const baseline = await loadBaseline(this.#path, this.#host).catch(error => {
      if (error instanceof InvalidFile) return undefined
      throw error
    })
    if (baseline?.identity_version !== IDENTITY_VERSION) return 'stale'
    return comparedBaseline(DEFAULT_BASELINE, baseline)
  }
}

/** What is missing or mixed could decide. */
function isWhole({ not_run, damaged, changed, partial, carried }: Outcome): boolean {
  return not_run === 0 && damaged === 0 && changed.length === 0 && partial === undefined && carried === undefined
}

/** From the worst to the best: a run is not better than the worst of its targets. */
const ORDER = ['worse', 'inconclusive', 'equivalent', 'better'] as const

function verdictIn(compared: AgainstComparison): BaselineVerdict | undefined {
  const { comparisons } = compared
  const paired = comparisons.filter(({ pairs }) => pairs.length > 0)
  // The baseline is of this run, or of other tests.
  if (paired.length === 0 || comparisons.some(({ is_same_run }) => is_same_run)) return undefined
  const stale = staleText(compared)
  if (stale !== undefined) return { verdict: 'stale', text: stale }
  const verdict = ORDER.find(each => comparisons.some(comparison => comparison.verdict === each)) ?? 'inconclusive'
  return { verdict, text: comparisons.map(comparison => verdictText(comparison, comparisons.length > 1)).join('\n') }
}

function verdictText(comparison: Comparison, isOneOfSeveral: boolean): string {
  const { verdict_text } = sectionOf(comparison)
  return isOneOfSeveral ? `${comparison.after.target}: ${verdict_text}` : verdict_text
}

/** Why the baseline is not of the tests, targets and judges of the run; undefined if it is. */
function staleText(compared: AgainstComparison): string | undefined {
  const { comparisons, missing_targets, new_targets } = compared
  const count = (listOf: (comparison: Comparison) => readonly unknown[]) =>
    comparisons.reduce((sum, comparison) => sum + listOf(comparison).length, 0)
  const counts = [
    [count(({ changed }) => changed), 'changed'],
    [count(comparison => comparison.new), 'new'],
    [count(({ gone }) => gone), 'not in this run'],
  ] as const
  const targets = missing_targets.length + new_targets.length
  const reasons = [
    ...counts.flatMap(([tests, what]) => (tests > 0 ? [`${plural(tests, 'test')} ${what}`] : [])),
    ...(targets > 0 ? [`${plural(targets, 'target')} only in one of them`] : []),
    ...judgeWarnings(compared),
  ]
  return reasons.length === 0 ? undefined : `the baseline ${DEFAULT_BASELINE} is of other tests: ${reasons.join(', ')}`
}
