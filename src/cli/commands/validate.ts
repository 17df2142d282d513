import { Command } from 'commander'
import { createRedactor } from '../../lib/redaction/redactor.ts'
import { plural } from '../../lib/text/format.ts'
import type { Checked } from '../../operations/check/tryout.ts'
import type { CommandContext } from '../command-context.ts'
import {
  type DiagnosticsOptions,
  diagnosticsExitCode,
  formatOption,
  maxWarningsOption,
  renderDiagnostics,
} from '../diagnostics-output.ts'
import type { ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { example } from '../options.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'

interface Options extends DiagnosticsOptions {
  readonly targets?: boolean
  readonly deep?: boolean
}

export function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Find every problem in suites, datasets, targets files and the configuration.')
    .argument('[paths...]', 'files, folders or globs, or - for stdin (default: the current folder)')
    .addOption(formatOption())
    .option('--json', 'same as --format json')
    .option(
      '--targets',
      'also check the targets in use, with their variables and modules, and that every check can be graded',
    )
    .option('--deep', 'also try checks and tests, as assay check does')
    .option('--strict', 'treat warnings as errors')
    .addOption(maxWarningsOption())
    .addHelpText(
      'after',
      example('assay validate', 'assay validate evals/ --strict', 'cat EVAL.yaml | assay validate -'),
    )
    .action((paths, options) => context.run(() => validatePaths(paths, options, context)))
}

async function validatePaths(paths: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { validate } = await import('../../operations/validate.ts')
  const { found, loaded, checked, diagnostics } = await validate({ ...options, paths }, host)
  terminal.redactWith(createRedactor(loaded.secrets).text)
  const text = () =>
    loaded.files === 0 && diagnostics.length === 0
      ? ''
      : `${diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stdout'))}${deepText(checked)}`
  terminal.out(renderDiagnostics(diagnostics, options, terminal, text))
  return reportMissing(found, diagnosticsExitCode(diagnostics, options.maxWarnings), context)
}

/** The line about the checks and tests that were tried. */
function deepText(checked: Checked | undefined): string {
  if (!checked || checked.tests === 0) return ''
  const findings = checked.diagnostics.length
  return `assay check: ${plural(findings, 'finding')} in ${plural(checked.tests, 'test')}${findings > 0 ? ' (see `assay check`)' : ''}\n`
}
