import { groupBy } from '../../lib/collections.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { countTests } from '../../model/attempt.ts'
import type { Plan } from '../../model/plan.ts'
import type { TestStatus } from '../../model/test-status.ts'
import { unversionedTargets } from '../../operations/run/plan-summary.ts'

/** Maximum number of reasons that are listed. */
const MAX_REASONS = 10

/** Says which tests are affected, or selected otherwise, and why, before they run. */
export function affectedText(
  { attempts, carried }: Plan,
  statuses: readonly TestStatus[],
  word: 'affected' | 'selected' = 'affected',
): string {
  const affected = countTests(attempts)
  const rest = carried ? `, ${carried.tests.length} carried over from ${carried.from}` : ''
  const head = `${affected} of ${plural(statuses.length, 'test')} ${word}${rest}\n`
  return printableLines([head, ...reasonLines(statuses)])
}

/** `  12 tests: agent.py changed`, the most frequent reasons first. */
function reasonLines(statuses: readonly TestStatus[]): string[] {
  const reasons = statuses.flatMap(({ reasons }) => (reasons.length > 0 ? [reasons.join(', ')] : []))
  const groups = [...groupBy(reasons, reason => reason)].toSorted(([, a], [, b]) => b.length - a.length)
  const lines = groups.slice(0, MAX_REASONS).map(([reason, { length }]) => `  ${plural(length, 'test')}: ${reason}\n`)
  const more = groups.length - MAX_REASONS
  return [...lines, ...(more > 0 ? [`  and ${plural(more, 'more reason')}: assay status --why\n`] : [])]
}

function printableLines(lines: readonly string[]): string {
  return lines.map(line => `${printableLine(line.trimEnd())}\n`).join('')
}

/** Warns of targets whose results count as current, whatever happens to the agent. */
export function unversionedWarnings(plan: Plan): string[] {
  return unversionedTargets(plan).map(({ name, provider }) => {
    const why = provider.execution?.isRemote ? 'its agent is behind a URL' : 'no file of its command was found'
    return `${printableLine(name)}: ${why}, so a changed agent is not noticed; set \`depends_on\` or \`version\``
  })
}
