import { Command, InvalidArgumentError } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import { UserError } from '../../../model/user-error.ts'
import type { LabelSession } from '../../../operations/label/label-session.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openRun } from '../../open-run.ts'
import { example, portNumber, positiveNumber, RUN_ARGUMENT, wholeNumber } from '../../options.ts'

interface Options {
  readonly sample: number
  readonly seed: number
  readonly by?: string
  readonly browser?: boolean
  readonly port?: number
  readonly open: boolean
  readonly runsDir?: string
}

export function labelCommand(context: CommandContext): Command {
  return new Command('label')
    .description(
      'Label answers that a model judged, to find out how far the judge can be trusted. You see question, answer and criteria, and neither the target nor the verdict. Labels are written to .assay/labels.',
    )
    .argument('[run]', `${RUN_ARGUMENT} (default: latest)`)
    .option('--sample <n>', 'number of answers: half that the judge passed, half that it failed', sampleSize, 50)
    .option('--seed <n>', 'number that decides which answers are drawn, and their order', wholeNumber, 1)
    .option('--by <name>', 'the person who labels (default: user.name of git, else $USER)')
    .option('--browser', 'label in a browser, on a page that only this machine can open')
    .option('--port <n>', 'with --browser: port of the page (default: a free one)', portNumber)
    .option('--no-open', 'with --browser: print the address of the page, and do not open it')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addHelpText('after', example('assay label', 'assay label latest --sample 100 --by ada', 'assay label --browser'))
    .action((run = 'latest', options) => context.run(() => labelRun(run, options, context)))
}

/** More than a person labels in a week. */
const LARGEST_SAMPLE = 1000

function sampleSize(text: string): number {
  if (positiveNumber(text) > LARGEST_SAMPLE) throw new InvalidArgumentError(`It must be at most ${LARGEST_SAMPLE}.`)
  return Number(text)
}

async function labelRun(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  if (!options.browser) requireTerminal(context)
  const { startLabelling } = await import('../../../operations/label/label-session.ts')
  const reader = await openRun(run, options.runsDir, context)
  try {
    const { sample: size, seed, by } = options
    const session = await startLabelling(reader, { size, seed, by }, host)
    if (session.size === 0) {
      terminal.err(
        `No answers to label in ${printableLine(run)}: it has no answer that a model judged. Checks that are computed need no labels.\n`,
      )
      return EXIT.nothing
    }
    terminal.err(balanceText(session, size))
    const code = await label(session, options, context)
    terminal.out(summaryText(session, terminal.path))
    return code
  } finally {
    reader.close()
  }
}

async function label(session: LabelSession, options: Options, context: CommandContext): Promise<ExitCode> {
  if (options.browser) {
    const { labelInBrowser } = await import('./browser.ts')
    return labelInBrowser(session, options, context)
  }
  if (session.labelled === session.size) return EXIT.ok
  const { labelOnTerminal } = await import('./terminal.ts')
  return labelOnTerminal(session, context)
}

function requireTerminal({ host }: CommandContext): void {
  const { terminal, env } = host
  if (terminal.hasKeys && terminal.stdout.isTTY && env['TERM'] !== 'dumb') return
  throw new UserError(
    'assay label needs a terminal: it shows an answer at a time and reads keys.',
    'Label in a browser with --browser, or run it on a terminal.',
  )
}

/** Says that the sample is small or not balanced. Which verdict is rare stays unsaid: it would bias the person. */
function balanceText(session: LabelSession, wanted: number): string {
  const { size, balance } = session
  const small = size < wanted ? [`Only ${plural(size, 'different judged answer')} in this run.`] : []
  const uneven = balance.more - balance.fewer > 1 ? [unevenText(balance)] : []
  return [...small, ...uneven].map(line => `${line}\n`).join('')
}

function unevenText({ fewer, more }: LabelSession['balance']): string {
  if (fewer === 0) return `All ${more} answers of the sample have the same verdict: the run has no other.`
  const have = `${plural(fewer, 'answer')} of the sample ${fewer === 1 ? 'has' : 'have'}`
  return `${have} one verdict and ${more} the other: the run has no more of the rare one.`
}

function summaryText({ size, labelled, by, paths }: LabelSession, path: (file: string) => string): string {
  const files = paths.map(file => printableLine(path(file))).join(', ')
  const done = `${labelled} of ${plural(size, 'answer')} labelled by ${printableLine(by)}, in ${files}`
  const next =
    labelled < size
      ? 'The same command shows the rest.'
      : 'For more labels, use a larger --sample or another --seed; for a second opinion, --by NAME.'
  return `${done}\n${next}\n`
}
