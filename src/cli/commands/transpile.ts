import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { TranspiledSuite, TranspileOptions } from '../../operations/transpile.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { example } from '../options.ts'
import { type CheckedFiles, diagnosticsText } from '../terminal/diagnostics.ts'

interface Options {
  readonly outDir?: string
  readonly stdout?: boolean
  readonly dialect: TranspileOptions['dialect']
  readonly check?: boolean
  readonly from?: string
  readonly output?: string
  readonly strict?: boolean
  readonly force?: boolean
}

export function transpileCommand(context: CommandContext): Command {
  return new Command('transpile')
    .description('Convert a suite to the evals.json and trigger set of skill-creator, or an evals.json to a suite.')
    .argument('[suite]', 'an EVAL.yaml')
    .option('--out-dir <folder>', "output folder (default: the suite's folder)")
    .addOption(
      new Option('--stdout', 'print the files as JSON instead: [{file, content}]').conflicts(['outDir', 'force']),
    )
    .addOption(
      new Option('--dialect <name>', 'key under which statements about an answer are written')
        .choices(['assertions', 'skill-creator', 'both'])
        .default('assertions'),
    )
    .addOption(new Option('--check', 'write nothing; fail if a file is out of date').conflicts(['stdout', 'force']))
    .addOption(
      new Option('--from <file>', 'convert this evals.json to an EVAL.yaml').conflicts([
        'outDir',
        'stdout',
        'check',
        'dialect',
      ]),
    )
    .option('-o, --output <file>', 'with --from: output file (default: stdout)')
    .option('--strict', 'treat lost information as an error')
    .option('--force', 'overwrite files that assay did not write')
    .addHelpText(
      'after',
      example('assay transpile EVAL.yaml --out-dir skill/evals', 'assay transpile --from evals.json -o EVAL.yaml'),
    )
    .action((suite: string | undefined, options: Options, command: Command) => {
      const { from, output } = options
      if ((suite === undefined) === (from === undefined))
        command.error('error: name an EVAL.yaml, or an evals.json with --from')
      if (output !== undefined && from === undefined)
        command.error('error: -o needs --from; use --out-dir for other files')
      return context.run(() =>
        from === undefined ? toFiles(suite ?? '', options, context) : fromEvals(from, options, context),
      )
    })
}

async function toFiles(path: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { transpileSuite } = await import('../../operations/transpile.ts')
  const { outDir: out_dir, stdout: in_memory, dialect, strict } = options
  const transpiled = await transpileSuite(path, { out_dir, in_memory, dialect, strict }, host)
  const place = printableLine(terminal.path(resolve(host.cwd, path)))
  switch (transpiled.kind) {
    case 'no-yaml':
      terminal.err(`No suite in YAML found in ${place}: name one, or convert an evals.json with --from.\n`)
      return EXIT.nothing
    case 'several':
      terminal.err(`There are ${plural(transpiled.count, 'suite')} in ${place}: name one of them.\n`)
      return EXIT.userError
    case 'invalid':
      reportDiagnostics(transpiled.loaded, context)
      return reportMissing(transpiled.found, EXIT.userError, context)
    case 'made':
      reportDiagnostics(transpiled.loaded, context)
      return deliver(transpiled, options, context)
  }
}

function reportDiagnostics(checked: CheckedFiles, { terminal }: CommandContext): void {
  if (checked.diagnostics.length > 0) terminal.err(diagnosticsText(checked, terminal.path, terminal.palette('stderr')))
}

async function deliver(
  made: Extract<TranspiledSuite, { kind: 'made' }>,
  { stdout, check, force = false }: Options,
  { host, terminal }: CommandContext,
): Promise<ExitCode> {
  if (stdout) {
    terminal.json(made.made.files.map(({ file, content }) => ({ file, content })))
    return EXIT.ok
  }
  const { checkTranspiled, writeTranspiled } = await import('../../operations/transpile.ts')
  const path = (file: string) => printableLine(terminal.path(join(made.folder, file)))
  if (check) {
    const stale = (await checkTranspiled(made, host)).filter(({ state }) => state !== 'same')
    for (const { file } of stale) terminal.out(`${path(file)} is out of date\n`)
    return stale.length > 0 ? EXIT.failed : EXIT.ok
  }
  for (const { file, state } of await writeTranspiled(made, force, host))
    terminal.out(`${state === 'same' ? 'unchanged' : 'wrote'} ${path(file)}\n`)
  return EXIT.ok
}

async function fromEvals(from: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ convertEvals }, { writeOutput }] = await Promise.all([
    import('../../operations/transpile.ts'),
    import('../../operations/write-output.ts'),
  ])
  const { output, strict, force = false } = options
  const { loaded, diagnostics, text } = await convertEvals(from, { output, strict }, host)
  reportDiagnostics({ ...loaded, diagnostics }, context)
  if (text === undefined) return EXIT.userError
  if (output === undefined) terminal.out(text)
  else terminal.out(`wrote ${printableLine(terminal.path(await writeOutput(output, text, force, host)))}\n`)
  return EXIT.ok
}
