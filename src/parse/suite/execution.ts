import { isMapping } from '../../lib/objects.ts'
import type * as z from '../../lib/zod.ts'
import type { Execution } from '../../model/execution.ts'
import { MARK_KEYS } from '../../model/mark.ts'
import { markFields } from '../../model/mark-fields.ts'
import type { testExecutionSchema } from '../../spec/execution.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { LoadContext } from './load-context.ts'

type Written = z.output<ReturnType<typeof testExecutionSchema>>

const NONE: Execution = Object.freeze({})

/** Returns the execution settings without the checks, which are loaded separately. */
export function executionOf(written: Written | undefined): Execution {
  if (!written) return NONE
  const { assert, assertions, evaluators, skip_defaults, ...execution } = written
  return execution
}

/** Reports keys of one `execution` that exclude each other, and a quarantine that has ended. */
export function reportExecution(
  { execution }: Fields,
  at: SourceNode,
  { diagnostics, today }: Pick<LoadContext, 'diagnostics' | 'today'>,
): void {
  if (!isMapping(execution)) return
  const written = at.child('execution')
  reportExclusive(execution, ['target', 'targets'], written, diagnostics)
  reportExclusive(execution, MARK_KEYS, written, diagnostics)
  reportExpired(execution['quarantine'], written.child('quarantine', 'until'), { diagnostics, today })
}

/** Reports each key after the first. */
function reportExclusive(
  execution: Fields,
  keys: readonly string[],
  written: SourceNode,
  diagnostics: Diagnostics,
): void {
  const [first, ...others] = keys.filter(key => execution[key] !== undefined)
  for (const other of others) {
    const message = `\`${first}\` and \`${other}\` cannot be used together`
    diagnostics.add({ code: 'two-spellings', at: written.child(other), part: 'key', message, hint: 'keep one of them' })
  }
}

function reportExpired(
  quarantine: unknown,
  at: SourceNode,
  { diagnostics, today }: Pick<LoadContext, 'diagnostics' | 'today'>,
): void {
  const { until } = markFields().quarantine.safeParse(quarantine).data ?? {}
  if (today === undefined || until === undefined || until >= today) return
  const message = `the quarantine ended on ${until}`
  const hint = 'fix the test and remove `quarantine`, or choose a later day'
  diagnostics.add({ code: 'expired-quarantine', at, message, hint })
}
