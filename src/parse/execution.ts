import type { z } from 'zod'
import type { Execution, testExecutionSchema } from '../spec/execution.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

type Written = z.output<ReturnType<typeof testExecutionSchema>>

/** How something runs, without the checks, which are loaded apart. */
export function executionOf(written: Written | undefined, at: SourceNode, mistakes: Mistakes): Execution {
  if (!written) return {}
  const { assert, assertions, evaluators, skip_defaults, ...execution } = written
  if (execution.target !== undefined && execution.targets !== undefined) {
    const message = '`target` and `targets` exclude each other'
    mistakes.add({ code: 'two-spellings', at: at.child('targets'), part: 'key', message })
  }
  return execution
}
