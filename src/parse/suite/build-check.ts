import { deepFreeze } from '../../lib/objects.ts'
import type * as z from '../../lib/zod.ts'
import { Check, type CheckFiles, type CheckSettings, type checkFields } from '../../model/check.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportIssues } from './check-issues.ts'
import type { SuiteContext } from './load-context.ts'

const NO_FILES: CheckFiles = new Map()

/** The fields that all checks share. */
export type CommonFields = z.output<z.ZodObject<ReturnType<typeof checkFields>>>

/** Builds a check with frozen settings, and reports its issues once its files are found. */
export function buildCheck(
  kind: Pick<Check, 'evaluator' | 'type' | 'config'>,
  common: Omit<CommonFields, 'config'>,
  at: SourceNode,
  context: SuiteContext,
): Check {
  const { evaluator, type, config } = kind
  const { name, weight, required, negate, applies_to, description } = common
  const references = evaluator.files?.(config) ?? []
  const files: CheckFiles = references.length > 0 ? new Map() : NO_FILES
  const settings: CheckSettings = {
    evaluator,
    type,
    name: name ?? type,
    written_name: name,
    weight,
    required,
    negate,
    applies_to: deepFreeze(applies_to),
    description,
    config: deepFreeze(config),
    files,
  }
  const check = new Check(Object.freeze(settings), at)
  reportIssues(check, references, context)
  return check
}
