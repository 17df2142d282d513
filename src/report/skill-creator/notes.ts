import { plural } from '../../lib/text/format.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { runNotes } from '../outcome/run-notes.ts'
import { outcomeOf } from '../outcome/run-outcome.ts'
import type { ReportOptions } from '../reporter.ts'
import { type Configuration, configurationsOf, type EvalRun, evalRuns } from './eval-runs.ts'

/** Notes on the export: the target of each configuration, attempts that were left out, and swapped sides. */
export function exportNotes(run: RunReader, options: ReportOptions): string[] {
  const errors = new Map<string, number>()
  const sides = new Sides()
  let unjudged = 0
  for (const judged of evalRuns(run, options)) {
    const { result, expectations } = judged
    if (expectations.length > 0) sides.add(judged)
    else if (result.error) errors.set(result.error.code, (errors.get(result.error.code) ?? 0) + 1)
    else unjudged++
  }
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0)
  const codes = [...errors].map(([code, count]) => `${count} ${code}`).join(', ')
  return [
    [...configurationsOf(run, options)].map(([target, name]) => `${name} is ${target}`).join(', '),
    ...(failed > 0 ? [`left out: ${plural(failed, 'attempt')} without an answer or a grade (${codes})`] : []),
    ...(unjudged > 0 ? [`left out: ${plural(unjudged, 'attempt')} whose answer no check grades`] : []),
    ...runNotes(outcomeOf(run)),
    ...(sides.isSwapped ? [SWAPPED_SIDES] : []),
  ]
}

const SWAPPED_SIDES =
  'The first folder has no with_skill run, so the skill-creator aggregator treats without_skill as the first side: the sign of its delta is reversed.'

/** Finds out which configuration the aggregator takes as the first: it reads the folders in order of their names. */
class Sides {
  #first: { readonly folder: string; readonly sides: Set<Configuration> } | undefined
  #hasSkill = false

  add({ folder: { name: folder }, configuration }: EvalRun): void {
    this.#hasSkill ||= configuration === 'with_skill'
    if (this.#first === undefined || folder < this.#first.folder) this.#first = { folder, sides: new Set() }
    if (folder === this.#first.folder) this.#first.sides.add(configuration)
  }

  get isSwapped(): boolean {
    return this.#hasSkill && this.#first !== undefined && !this.#first.sides.has('with_skill')
  }
}
