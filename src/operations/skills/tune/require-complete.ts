import { Incomplete } from '../../proposals/incomplete.ts'
import type { MeasuredRun } from '../../proposals/measure-plan.ts'

/** Throws if a measurement lacks attempts, or most of them say nothing about the description. */
export function requireComplete({ outcome, facts, stopped }: MeasuredRun): void {
  const [error] = outcome.notable.flatMap(({ result }) => result.error ?? [])
  const because = error ? `: ${error.message}` : ''
  if (outcome.has_bug) throw new Incomplete('bug', `An attempt ended in an internal error${because}`)
  if (stopped === 'budget') throw new Incomplete('budget', 'The budget is spent.')
  if (stopped !== undefined) throw new Incomplete('interrupted', 'Interrupted.')
  const unreached = facts.filter(({ is_replaceable }) => is_replaceable).length
  const count = (errors: number) => `${errors} of ${facts.length} attempts`
  if (unreached > 0) throw new Incomplete('errors', `${count(unreached)} did not reach the agent${because}`)
  const errors = facts.filter(({ verdict }) => verdict === 'error').length
  if (2 * errors > facts.length)
    throw new Incomplete(
      'errors',
      `${count(errors)} ended in an error, which says nothing about the description${because}`,
    )
  const { changed } = outcome
  if (changed.length > 0)
    throw new Incomplete('changed', `The agent changed while it was measured: ${changed.join(', ')}.`)
}
