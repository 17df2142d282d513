import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { ImportOptions, ImportResult } from '../../operations/import/import-suites.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example } from '../options.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'
import { filesText, importText } from '../terminal/import-text.ts'

const FORMATS = ['promptfoo', 'agentv', 'openai-evals', 'inspect', 'otel'] as const

interface Options {
  readonly from?: (typeof FORMATS)[number]
  readonly output?: string
  readonly runsDir?: string
  readonly dryRun?: boolean
  readonly strict?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Convert suites and results of other tools. What cannot be carried over is reported with its place.')
    .argument('<path>', 'a file of another tool, or a folder with such files')
    .addOption(new Option('--from <format>', 'format of the file (default: recognized by content)').choices(FORMATS))
    .option('-o, --output <folder>', 'folder of the suites (default: that of each file)')
    .option('--runs-dir <folder>', 'folder of the runs that logs become (default: .assay/runs)')
    .option('--dry-run', 'write nothing, and show what would be written')
    .option('--strict', 'write nothing if something is approximated or left out')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print what was imported as one JSON document')
    .addHelpText(
      'after',
      example(
        'assay import promptfooconfig.yaml',
        'assay import evals --from agentv -o imported',
        'assay import logs/2026-01-01_task.eval',
        'assay import --from otel traces.jsonl -o graded',
      ),
    )
    .action((path, options) => context.run(() => run(path, options, context)))
}

async function run(path: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { importSuites } = await import('../../operations/import/import-suites.ts')
  const { runsDir: runs_dir, dryRun: dry_run, ...others } = options
  const result = await importSuites(path, { ...others, runs_dir, dry_run } satisfies ImportOptions, host)
  if (result.formats.size === 0) {
    terminal.err(`Nothing to import found in ${printableLine(path)}.\n`)
    return EXIT.nothing
  }
  if (options.json) terminal.json(dataOf(result, context))
  else report(result, options, context)
  if (result.is_refused || result.errors.length > 0) return EXIT.userError
  if (!isEmpty(result)) return EXIT.ok
  terminal.err('No test could be imported.\n')
  return EXIT.nothing
}

function isEmpty({ tests, runs }: ImportResult): boolean {
  return tests.carried_over + tests.approximated === 0 && runs.length === 0
}

function report(result: ImportResult, { dryRun = false }: Options, { terminal }: CommandContext): void {
  const { files, runs, missing_targets, errors, needs_judge, is_refused } = result
  const path = (file: string) => printableLine(terminal.path(file))
  terminal.out(importText(result, terminal.path, terminal.palette('stdout')))
  if (is_refused) terminal.err('Nothing was written, because of --strict.\n')
  else {
    const wrote = dryRun ? 'would write' : 'wrote'
    terminal.out(filesText(files, wrote, terminal.path))
    for (const run of runs) terminal.out(`${wrote} run ${path(run)}\n`)
  }
  for (const { file, text } of missing_targets)
    terminal.err(`${path(file)} exists and was not changed. Add to its targets:\n${text}`)
  if (errors.length > 0)
    terminal.err(
      diagnosticsText(
        { diagnostics: errors, suites: [], files: files.length },
        terminal.path,
        terminal.palette('stderr'),
      ),
    )
  if (needs_judge) terminal.out('Some checks need a judge: add a target `judge`, or pass --judge TARGET.\n')
}

function dataOf(result: ImportResult, { terminal }: CommandContext) {
  const { tests, notes, files, runs, missing_targets, needs_judge } = result
  return {
    formats: Object.fromEntries(result.formats),
    tests,
    notes: notes.map(({ loss, message, at }) => ({
      loss,
      message,
      file: terminal.path(at.file),
      line: at.line,
      column: at.column,
    })),
    files: files.map(({ path, isNew }) => ({ path: terminal.path(path), is_new: isNew })),
    report: result.report === undefined ? null : terminal.path(result.report),
    runs: runs.map(run => terminal.path(run)),
    missing_targets: missing_targets.map(({ file, text }) => ({ file: terminal.path(file), text })),
    needs_judge,
  }
}
