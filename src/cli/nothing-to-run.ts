import { printableLine } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Plan } from '../model/plan.ts'
import type { PlannedRun } from '../operations/evaluate.ts'
import type { CommandContext } from './command-context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reportMissing } from './missing-suites.ts'

/** Reports why a plan has no attempts. */
export function reportNothing(
  planned: PlannedRun,
  { not_applicable, skipped }: Plan,
  context: CommandContext,
): ExitCode {
  const { loaded, found } = planned
  const tests = loaded.suites.reduce((sum, suite) => sum + suite.tests.length, 0)
  const targets = [...new Set(not_applicable.map(({ target }) => printableLine(target.name)))]
  if (skipped.length > 0) reportSkipped(skipped, targets.length > 0, context)
  else if (targets.length > 0)
    context.terminal.err(
      `No tests to run: no check of the selected tests applies to ${targets.join(', ')}. Select other tests or targets.\n`,
    )
  else if (tests > 0)
    context.terminal.err(
      `No tests match: none of ${tests} tests is selected by --test-id and --tag. \`assay list\` shows them.\n`,
    )
  return reportMissing(found, EXIT.nothing, context)
}

/** Most skipped tests that are listed. */
const MAX_LISTED = 20

function reportSkipped(skipped: Plan['skipped'], isPart: boolean, { terminal }: CommandContext): void {
  const lines = skipped.slice(0, MAX_LISTED).map(({ test: { id, at }, reason }) => {
    return `  ${printableLine(`${id} ${terminal.path(at.file)}:${at.line()}: ${reason}`)}\n`
  })
  const more = skipped.length > MAX_LISTED ? `  and ${skipped.length - MAX_LISTED} more\n` : ''
  const others = isPart ? 'the other selected tests apply to no target' : 'all selected tests are skipped'
  const count = plural(skipped.length, 'test')
  terminal.err(`No tests to run: ${others}. ${count} skipped:\n${lines.join('')}${more}`)
}
