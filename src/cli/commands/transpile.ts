import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Format, OutputFormat, TranspiledSuite } from '../../operations/transpile.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { example } from '../options.ts'
import { type CheckedFiles, diagnosticsText } from '../terminal/diagnostics.ts'

interface Options {
  readonly to?: Format
  readonly outDir?: string
  readonly stdout?: boolean
  readonly dialect?: keyof typeof DIALECTS
  readonly check?: boolean
  readonly from?: string
  readonly output?: string
  readonly strict?: boolean
  readonly force?: boolean
}

const FORMATS = ['skill-creator', 'agentskills', 'plugin-evals'] as const satisfies readonly Format[]

/** The formats that `--dialect` names. */
const DIALECTS = { assertions: 'agentskills', 'skill-creator': 'skill-creator', both: 'evals-json' } as const

export function transpileCommand(context: CommandContext): Command {
  return new Command('transpile')
    .description('Convert a suite to a public format for evals of skills and plugins, or such evals to a suite.')
    .argument('[suite]', 'an EVAL.yaml, an evals.json, a trigger set, or a plugin with evals')
    .addOption(
      new Option('--to <format>', 'format to write (default: an evals.json for skill-creator and agentskills)')
        .choices(FORMATS)
        .conflicts('dialect'),
    )
    .option(
      '--from <path or format>',
      `convert this file or plugin to an EVAL.yaml; a format (${FORMATS.join(', ')}) requires that the suite is in it`,
    )
    .option('-o, --output <file>', 'with --from: output file (default: stdout)')
    .option('--out-dir <folder>', "output folder (default: the suite's folder; for plugin-evals, its folder evals)")
    .addOption(
      new Option('--stdout', 'print the files as JSON instead: [{file, content}]').conflicts(['outDir', 'force']),
    )
    .addOption(new Option('--check', 'write nothing; fail if a file is out of date').conflicts(['stdout', 'force']))
    .option('--strict', 'treat lost information as an error')
    .option('--force', 'overwrite files that assay did not write')
    .addOption(
      new Option(
        '--dialect <name>',
        'alias of --to: assertions is agentskills, both is an evals.json with the keys of both',
      ).choices(Object.keys(DIALECTS)),
    )
    .addHelpText(
      'after',
      example(
        'assay transpile EVAL.yaml --out-dir skill/evals',
        'assay transpile EVAL.yaml --to plugin-evals --out-dir plugin/evals',
        'assay transpile --from evals.json -o EVAL.yaml',
        'assay transpile --from plugin -o EVAL.yaml',
        'assay transpile plugin --to agentskills --out-dir skill/evals',
      ),
    )
    .action((suite: string | undefined, options: Options, command: Command) => {
      const { input, format } = requireInput(suite, options, command)
      const { to, dialect } = options
      const target = to ?? (dialect === undefined ? undefined : DIALECTS[dialect])
      const isConversion = options.from !== undefined && target === undefined
      requireOptions(options, isConversion, command)
      return context.run(() =>
        isConversion ? fromFormat(input, format, options, context) : toFiles(input, target, format, options, context),
      )
    })
}

function isFormat(text: string | undefined): text is Format {
  return (FORMATS as readonly (string | undefined)[]).includes(text)
}

/** `--from` names the input, or the format of the input. */
function requireInput(suite: string | undefined, { from }: Options, command: Command) {
  const format = isFormat(from) ? from : undefined
  const path = format === undefined ? from : undefined
  const input = suite ?? path
  if (input === undefined || (suite !== undefined && path !== undefined))
    command.error('error: name one suite: as the argument, or with --from')
  return { input: input ?? '', format }
}

function requireOptions({ output, outDir, stdout, check }: Options, isConversion: boolean, command: Command): void {
  if (output !== undefined && !isConversion)
    command.error('error: -o needs --from without --to; use --out-dir for other files')
  const unused = Object.entries({ '--out-dir': outDir, '--stdout': stdout, '--check': check }).find(
    ([, value]) => value,
  )
  if (isConversion && unused) command.error(`error: ${unused[0]} cannot be used with --from, unless --to is given`)
}

async function toFiles(
  path: string,
  format: OutputFormat | undefined,
  from: Format | undefined,
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { transpileSuite } = await import('../../operations/transpile.ts')
  const { outDir: out_dir, stdout: in_memory, strict } = options
  const transpiled = await transpileSuite(path, { out_dir, in_memory, format, from, strict }, host)
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
    case 'nothing':
      reportDiagnostics(transpiled.loaded, context)
      terminal.err(`No test of ${place} can be written as ${format}: see the warnings above.\n`)
      return EXIT.nothing
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
    const { files, leftovers } = await checkTranspiled(made, host)
    const stale = files.filter(({ state }) => state !== 'same')
    for (const { file } of stale) terminal.out(`${path(file)} is out of date\n`)
    for (const file of leftovers) terminal.out(`${path(file)} is left from an earlier version of the suite\n`)
    return stale.length + leftovers.length > 0 ? EXIT.failed : EXIT.ok
  }
  const { files, leftovers } = await writeTranspiled(made, force, host)
  for (const { file, state } of files) terminal.out(`${state === 'same' ? 'unchanged' : 'wrote'} ${path(file)}\n`)
  for (const file of leftovers) terminal.out(`removed ${path(file)}\n`)
  return EXIT.ok
}

async function fromFormat(
  from: string,
  format: Format | undefined,
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ convertEvals }, { writeOutput }] = await Promise.all([
    import('../../operations/convert-evals.ts'),
    import('../../operations/write-output.ts'),
  ])
  const { output, strict, force = false } = options
  const { loaded, diagnostics, text, targets } = await convertEvals(from, { format, output, strict }, host)
  reportDiagnostics({ ...loaded, diagnostics }, context)
  if (text === undefined) return EXIT.userError
  if (output === undefined) terminal.out(text)
  else terminal.out(`wrote ${printableLine(terminal.path(await writeOutput(output, text, force, host)))}\n`)
  if (targets !== undefined)
    terminal.err(`The suite needs these targets. Add them to .assay/targets.yaml in its folder:\n${targets}`)
  return EXIT.ok
}
