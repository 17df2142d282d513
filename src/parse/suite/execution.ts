import type * as z from 'zod'
import { isMapping } from '../../lib/objects.ts'
import type { Execution } from '../../model/execution.ts'
import type { testExecutionSchema } from '../../spec/execution.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'

type Written = z.output<ReturnType<typeof testExecutionSchema>>

const NONE: Execution = Object.freeze({})

/** Returns the execution settings without the checks, which are loaded separately. */
export function executionOf(written: Written | undefined): Execution {
  if (!written) return NONE
  const { assert, assertions, evaluators, skip_defaults, ...execution } = written
  return execution
}

/** Reports `target` and `targets` in the same `execution`. */
export function reportTargets({ execution }: Fields, at: SourceNode, diagnostics: Diagnostics): void {
  if (!isMapping(execution) || execution['target'] === undefined || execution['targets'] === undefined) return
  const message = '`target` and `targets` cannot be used together'
  diagnostics.add({
    code: 'two-spellings',
    at: at.child('execution', 'targets'),
    part: 'key',
    message,
    hint: 'keep one of them',
  })
}
