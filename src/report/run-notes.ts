import { plural } from '../lib/plural.ts'
import type { Outcome } from './outcome.ts'

/** What a reader must know of a run before its figures, such as that it is partial, was made again, or was not asked anew. */
export function runNotes({ partial, damaged, changed, reruns, answers, cached, retried }: RunFacts): string[] {
  return [
    ...(partial === undefined ? [] : [`partial run: ${partial}`]),
    ...damageNotes(damaged),
    ...(changed.length > 0 ? [`${changed.join(', ')} changed during the run: its answers are of two agents`] : []),
    ...(reruns ? [`${plural(reruns.attempts, 'attempt')} made again in ${plural(reruns.reruns, 'rerun')}`] : []),
    ...(cached > 0 ? [`${cached} of ${plural(answers, 'answer')} cached`] : []),
    ...(retried ? [`${plural(retried.answers, 'answer')} after ${plural(retried.failed_calls, 'failed call')}`] : []),
  ]
}

type RunFacts = Pick<Outcome, 'partial' | 'damaged' | 'changed' | 'reruns' | 'answers' | 'cached' | 'retried'>

/** That lines could not be read: their results are in no figure. */
export function damageNotes(damaged: number): string[] {
  return damaged > 0 ? [`${plural(damaged, 'damaged line')} left out`] : []
}
