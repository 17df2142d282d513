import { withoutNullish } from '../../lib/objects.ts'
import type { Fields } from '../fields.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import type { Written } from '../written.ts'
import { withoutKeys } from './check-keys.ts'

const KEYS = ['mode', 'expected', 'minimums', 'maximums', 'forbidden']

/** Arguments are compared exactly unless a check or one of its entries says otherwise; here, others are ignored. */
export async function convertTrajectory(written: Written, { notes }: AssertionContext): Promise<Fields> {
  const { args_match: match = 'exact', ...fields } = withoutKeys(
    written,
    'tool_trajectory',
    [...KEYS, 'args_match'],
    notes,
  )
  const entries = written.get('expected')?.items() ?? []
  const expected = entries.map(entry => {
    const { args, args_match = match, input, output, ...others } = entry.value as Fields
    for (const [key, value] of Object.entries({ input, output }))
      if (value !== undefined)
        notes.leftOut(
          entry.at.child(key),
          `\`${key}\` of an expected call, which AgentV does not compare either`,
          'key',
        )
    const isCompared = args !== undefined && args !== 'any'
    return withoutNullish({ ...others, args, args_match: isCompared ? args_match : undefined })
  })
  return expected.length === 0 ? fields : { ...fields, expected }
}
