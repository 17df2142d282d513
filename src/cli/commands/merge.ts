import { Command } from 'commander'
import { printable, terminalSafeJson } from '../../lib/text/escape.ts'
import type { GateOptions } from '../../report/outcome/gate.ts'
import type { CommandContext } from '../command-context.ts'
import type { ExitCode } from '../exit-codes.ts'
import { openRun } from '../open-run.ts'
import { allowFlaky, collect, example, failOn, gateOption, minPassRate, OUTPUT } from '../options.ts'
import { recordedCommand } from '../recorded-command.ts'

interface Options {
  readonly failOn?: NonNullable<GateOptions['fail_on']>
  readonly minPassRate?: number
  readonly gate?: NonNullable<GateOptions['gate']>
  readonly allowFlaky?: boolean
  readonly runsDir?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
}

export function mergeCommand(context: CommandContext): Command {
  return new Command('merge')
    .description('Join the shards of one plan into one run.')
    .argument('<runs...>', 'runs: ids, folders, or results.jsonl files with their run.json beside them')
    .addOption(failOn())
    .addOption(minPassRate())
    .addOption(gateOption())
    .addOption(allowFlaky())
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'print only tests that did not pass')
    .addHelpText('after', example('assay merge shard-1/ shard-2/'))
    .action((runs, options) => context.run(() => mergeShards(runs, options, context)))
}

async function mergeShards(runs: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ merge }, { checkOutputs }, { checkGate }, { projectCalibrations }, { conclude }, { writeOutputs }] =
    await Promise.all([
      import('../../operations/merge.ts'),
      import('../../operations/write-reports.ts'),
      import('../../operations/run/check-gate.ts'),
      import('../../operations/project-calibrations.ts'),
      import('../conclusion.ts'),
      import('../write-outputs.ts'),
    ])
  const { runsDir: runs_dir, output, quiet } = options
  const gate = gateOf(options)
  checkGate(gate)
  await checkOutputs(output, host)
  const calibrations = await projectCalibrations(host)
  const { folder, damaged } = await merge(runs, { runs_dir, command: recordedCommand(context) }, host)
  if (damaged > 0) terminal.err(`${damaged} damaged lines of the shards are left out.\n`)
  const merged = await openRun(folder, runs_dir, context)
  if (options.json) for (const result of merged.results()) terminal.out(terminalSafeJson(`${JSON.stringify(result)}\n`))
  const { text, code } = conclude(merged, { ...gate, quiet, calibrations }, terminal)
  terminal.err(text)
  await writeOutputs(output, merged, context, { calibrations })
  merged.close()
  if (!quiet) terminal.err(`merged into ${printable(terminal.path(folder))}\n`)
  return code
}

function gateOf(options: Options): GateOptions {
  const { failOn: fail_on, minPassRate: min_pass_rate, gate, allowFlaky: allow_flaky } = options
  return { fail_on, min_pass_rate, gate, allow_flaky }
}
