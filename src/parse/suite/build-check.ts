import { deepFreeze } from '../../lib/objects.ts'
import type * as z from '../../lib/zod.ts'
import type { Check, CheckFiles, checkFields } from '../../model/check.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportIssues } from './check-issues.ts'
import type { SuiteContext } from './load-context.ts'

const NO_FILES: CheckFiles = new Map()

/** The fields that all checks share. */
export type CommonFields = z.output<z.ZodObject<ReturnType<typeof checkFields>>>

/** Builds a frozen check, and reports its issues once its files are found. */
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
  const check: Check = {
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
    at,
  }
  Object.freeze(check)
  reportIssues(check, references, context)
  return check
}
