import type { Plan } from '../../model/plan.ts'
import { UserError } from '../../model/user-error.ts'
import { type ArmGateOptions, armOptionNames } from '../../report/compare/arm-gate.ts'

/** Throws before a run if options compare targets with a control arm, but no test has one besides another target. */
export function requireControl({ attempts }: Pick<Plan, 'attempts'>, options: ArmGateOptions): void {
  const names = armOptionNames(options)
  if (names.length === 0) return
  const controlled = new Set(attempts.filter(({ is_control }) => is_control).map(({ test }) => test))
  if (attempts.some(({ is_control, test }) => !is_control && controlled.has(test))) return
  const [verb, what] = names.length === 1 ? ['needs', 'It compares'] : ['need', 'They compare']
  throw new UserError(
    `${names.join(' and ')} ${verb} a control arm: no selected test runs on a control and on another target. ${what} each target with it.`,
    'Name two targets and the control, such as --target new --target old --control old, or set execution.control in the suite; to compare with an earlier run, use `assay compare`.',
  )
}
