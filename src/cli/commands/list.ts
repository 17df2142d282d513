import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Check } from '../../model/check.ts'
import { markOf, markRecord, markText, skipReason } from '../../model/mark.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { example } from '../options.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'

export function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List suites and their tests.')
    .argument('[paths...]', 'files, folders or globs (default: the current folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay list', 'assay list evals/ --json'))
    .action((paths, options) => context.run(() => list(paths, options, context)))
}

async function list(
  paths: readonly string[],
  { json }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { listSuites } = await import('../../operations/load-suites.ts')
  const { found, loaded, has_errors } = await listSuites(paths, host)
  const { path } = terminal
  if (has_errors) terminal.err(diagnosticsText(loaded, path, terminal.palette('stderr')))
  if (json) terminal.json(loaded.suites.map(suite => suiteData(suite, path)))
  else terminal.out(loaded.suites.map(suite => suiteText(suite, path)).join('\n'))
  return reportMissing(found, has_errors ? EXIT.userError : EXIT.ok, context)
}

type ShowPath = (file: string) => string

function suiteData(suite: Suite, path: ShowPath) {
  const { name, description, file, tags, execution, variants, tests } = suite
  return {
    name,
    description,
    file: path(file),
    tags,
    control: execution.control,
    variants: variants?.map(({ name, is_control }) => ({ name, control: is_control || undefined })),
    tests: tests.map(test => {
      const { id, criteria, description, conversation_id, tags, execution, checks, at } = test
      return {
        id,
        file: path(at.file),
        line: at.line(),
        criteria,
        description,
        conversation_id,
        tags,
        control: execution.control,
        checks: checks.map(check => check.name),
        applies_to: targetsOf(checks),
        skip: skipReason(suite, test),
        ...markRecord(markOf(suite, test)),
      }
    }),
  }
}

/** The targets that the checks of a test name, if each check names some; undefined if the test may apply to any. */
function targetsOf(checks: readonly Check[]): string[] | undefined {
  const names = checks.flatMap(({ applies_to }) => applies_to ?? [])
  return names.length > 0 && checks.every(({ applies_to }) => applies_to) ? [...new Set(names)] : undefined
}

function suiteText(suite: Suite, path: ShowPath): string {
  const { name, file, execution, variants, tests } = suite
  const width = tests.reduce((widest, { id }) => Math.min(40, Math.max(widest, id.length)), 0)
  const lines = tests.map(test => {
    const { id, criteria, description, checks, at } = test
    const about = (description ?? criteria ?? '').trim().split('\n')[0] ?? ''
    const targets = targetsOf(checks)
    const only = targets ? `, only on ${targets.join(', ')}` : ''
    const location = `${path(at.file)}:${at.line()}${only}`
    return printableLine(
      `  ${id.padEnd(width)}  ${about.length > 70 ? `${about.slice(0, 69)}…` : about}  (${location})${markSuffix(suite, test)}`,
    )
  })
  const control = execution.control === undefined ? '' : `  control arm: ${printableLine(execution.control)}`
  return `${printableLine(name)}  ${plural(tests.length, 'test')}  ${printableLine(path(file))}${control}${variantsText(variants)}\n${lines.join('\n')}\n`
}

/** `  variants: plain (control), terse`; empty without variants. */
function variantsText(variants: Suite['variants']): string {
  if (!variants) return ''
  const names = variants.map(({ name, is_control }) => (is_control ? `${name} (control)` : name))
  return `  variants: ${printableLine(names.join(', '))}`
}

/** `  skipped: no sandbox`; empty for a test without a mark. */
function markSuffix(suite: Suite, test: Test): string {
  const mark = markOf(suite, test)
  const skip = skipReason(suite, test)
  if (skip !== undefined) return `  skipped: ${skip}`
  return mark ? `  ${markText(mark)}` : ''
}
