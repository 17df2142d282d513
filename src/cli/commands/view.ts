import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { CommandContext } from '../command-context.ts'
import type { ExitCode } from '../exit-codes.ts'
import { example, portNumber } from '../options.ts'

interface Options {
  readonly port?: number
  readonly open: boolean
  readonly runsDir?: string
}

export function viewCommand(context: CommandContext): Command {
  return new Command('view')
    .description(
      'Look at runs in a browser: all runs, one run, comparisons, and runs that go on, which you can stop. Only this machine can open the page; its address has a token.',
    )
    .argument('[run]', 'run to show first: its id or the beginning of it, latest, or its folder')
    .option('--port <n>', 'port of the page (default: a free one)', portNumber)
    .option('--no-open', 'print the address of the page, and do not open it')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addHelpText('after', example('assay view', 'assay view latest', 'assay view --no-open --port 8080'))
    .action((run, options) => context.run(() => viewRuns(run, options, context)))
}

async function viewRuns(run: string | undefined, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ openProjectView }, { serveView }] = await Promise.all([
    import('../../operations/view/open-view.ts'),
    import('../serve-view.ts'),
  ])
  const { port, open, runsDir } = options
  const opened = await openProjectView({ run, runs_dir: runsDir }, host)
  if (!opened.has_runs)
    terminal.err(
      `No runs in ${printableLine(terminal.path(opened.runs_folder))} yet: \`assay eval\` makes one, and the page shows it.\n`,
    )
  const path = opened.run === undefined ? '' : `#/run/${encodeURIComponent(opened.run)}`
  try {
    return await serveView(opened.view, { port, open, title: 'View at', path }, context)
  } finally {
    opened.view.close()
  }
}
