import type { Plan } from '../../model/plan.ts'
import { UserError } from '../../model/user-error.ts'
import { comparisonOptionNames } from '../../report/compare/comparison-gates.ts'
import type { RunRequest } from './run-request.ts'

/** Throws before a run if options compare it with something, but there are neither saved results nor a control arm. */
export function requireControl({ attempts, carried }: Pick<Plan, 'attempts' | 'carried'>, options: RunRequest): void {
  const names = comparisonOptionNames(options)
  if (names.length === 0 || options.against !== undefined || options.affected) return
  const all = [...attempts, ...(carried?.attempts ?? [])]
  const controlled = new Set(all.filter(({ is_control }) => is_control).map(({ test }) => test))
  if (all.some(({ is_control, test }) => !is_control && controlled.has(test))) return
  const [verb, what] = names.length === 1 ? ['needs', 'It compares'] : ['need', 'They compare']
  throw new UserError(
    `${names.join(' and ')} ${verb} saved results or a control arm: no selected test runs on a control and on another target. ${what} each target with it.`,
    'Name a baseline or a run, such as --against main, or two targets and the control, such as --target new --target old --control old.',
  )
}
