import { Command } from 'commander'
import { mayBeNotUtf8 } from '../../../lib/paths.ts'
import { printable } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import type { CheckedSkills } from '../../../operations/skills/check-skills.ts'
import type { CommandContext } from '../../command-context.ts'
import {
  type DiagnosticsOptions,
  diagnosticsExitCode,
  formatOption,
  maxWarningsOption,
  renderDiagnostics,
} from '../../diagnostics-output.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example } from '../../options.ts'
import { problemsText } from '../../terminal/diagnostics.ts'

export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description('Check skills against the Agent Skills specification, and for what keeps agents from using them.')
    .argument('<folders...>', 'skills, folders of skills or plugins')
    .addOption(formatOption())
    .option('--json', 'same as --format json')
    .option('--strict', 'treat warnings as errors')
    .addOption(maxWarningsOption())
    .addHelpText('after', example('assay skill check skills/csv-report', 'assay skill check . --strict'))
    .action((folders, options) => context.run(() => checkFolders(folders, options, context)))
}

async function checkFolders(
  folders: readonly string[],
  options: DiagnosticsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { checkSkills } = await import('../../../operations/skills/check-skills.ts')
  const checked = await checkSkills({ folders, strict: options.strict }, host)
  const { diagnostics, skills } = checked
  const scope = `${plural(skills.length, 'skill')} checked`
  const text = () =>
    skills.length === 0 && diagnostics.length === 0
      ? ''
      : problemsText({ diagnostics, scope, clean: `No problems: ${scope}.` }, terminal.path, terminal.palette('stdout'))
  terminal.out(renderDiagnostics(diagnostics, options, terminal, text))
  return reportNothing(checked, diagnosticsExitCode(diagnostics, options.maxWarnings), context)
}

/** Reports folders without skills and folders that cannot be read, and returns the exit code with that. */
function reportNothing({ nothing, closed }: CheckedSkills, code: ExitCode, { terminal }: CommandContext): ExitCode {
  const path = (file: string) => printable(terminal.path(file))
  for (const folder of closed) {
    const reason = mayBeNotUtf8(folder) ? 'its name is not UTF-8. Rename it' : 'permission denied'
    terminal.err(`Cannot read ${path(folder)}: ${reason}.\n`)
  }
  for (const folder of nothing)
    terminal.err(`No skill found in ${path(folder)}: a skill is a folder with a file SKILL.md.\n`)
  if (code !== EXIT.ok || closed.length > 0) return EXIT.userError
  return nothing.length > 0 ? EXIT.nothing : EXIT.ok
}
