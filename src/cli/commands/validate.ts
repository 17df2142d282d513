import { Command, Option } from 'commander'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { renderGithub } from '../../diagnostics/render/github.ts'
import { renderJson } from '../../diagnostics/render/json.ts'
import { renderSarif } from '../../diagnostics/render/sarif.ts'
import { createRedactor } from '../../lib/redaction/redactor.ts'
import { version } from '../../operations/version.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { example, wholeNumber } from '../options.ts'
import { type CheckedFiles, diagnosticsText } from '../terminal/diagnostics.ts'
import type { Terminal } from '../terminal/terminal.ts'

const FORMATS = ['text', 'json', 'sarif', 'github'] as const

interface Options {
  readonly format: (typeof FORMATS)[number]
  readonly json?: boolean
  readonly targets?: boolean
  readonly strict?: boolean
  readonly maxWarnings?: number
}

export function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Find every problem in suites, datasets, targets files and the configuration.')
    .argument('[paths...]', 'files, folders or globs, or - for stdin (default: the current folder)')
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('text'))
    .option('--json', 'same as --format json')
    .option(
      '--targets',
      'also check the targets in use, with their variables and modules, and that every check can be graded',
    )
    .option('--strict', 'treat warnings as errors')
    .option('--max-warnings <n>', 'fail if there are more warnings than this', wholeNumber)
    .addHelpText(
      'after',
      example('assay validate', 'assay validate evals/ --strict', 'cat EVAL.yaml | assay validate -'),
    )
    .action((paths, options) => context.run(() => validatePaths(paths, options, context)))
}

async function validatePaths(paths: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { validate } = await import('../../operations/validate.ts')
  const { found, loaded, diagnostics } = await validate({ ...options, paths }, host)
  terminal.redactWith(createRedactor(loaded.secrets).text)
  terminal.out(rendered({ ...loaded, diagnostics }, options.json ? 'json' : options.format, terminal))
  return reportMissing(found, exitCode(diagnostics, options.maxWarnings), context)
}

function rendered(checked: CheckedFiles, format: Options['format'], terminal: Terminal): string {
  const { diagnostics, files } = checked
  switch (format) {
    case 'json':
      return renderJson(diagnostics, terminal.path)
    case 'sarif':
      return renderSarif(diagnostics, terminal.path, version)
    case 'github':
      return renderGithub(diagnostics, terminal.path)
    case 'text':
      return files === 0 && diagnostics.length === 0
        ? ''
        : diagnosticsText(checked, terminal.path, terminal.palette('stdout'))
  }
}

function exitCode(diagnostics: readonly Diagnostic[], maxWarnings = Number.POSITIVE_INFINITY): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return errors > 0 || diagnostics.length - errors > maxWarnings ? EXIT.userError : EXIT.ok
}
