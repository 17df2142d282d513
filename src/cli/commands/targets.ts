import { Command } from 'commander'
import { type Diagnostic, hasErrors } from '../../diagnostics/diagnostic.ts'
import { renderText } from '../../diagnostics/render/text.ts'
import { createRedactor } from '../../lib/redaction/redactor.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { CheckedTarget, TargetStatus } from '../../operations/ping-targets.ts'
import type { CommandContext } from '../command-context.ts'
import { BUG_TEXT } from '../crash.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example, TARGETS_FILE } from '../options.ts'
import { type SignalWatch, watchSignals } from '../signals.ts'
import { type PingProgress, pingProgress, silentPings } from '../terminal/ping-progress.ts'

interface Options {
  readonly targets?: string
  readonly ping?: boolean
  readonly json?: boolean
}

export function targetsCommand(context: CommandContext): Command {
  return new Command('targets')
    .description('Show each target, and check that its keys and programs are available.')
    .argument('[name]', 'show only this target')
    .option('--targets <file>', TARGETS_FILE)
    .option('--ping', 'also send each target a short prompt')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `${CODES_HELP}${example('assay targets', 'assay targets gpt --ping')}`)
    .action((name, options) => context.run(() => showTargets(name, options, context)))
}

const CODES_HELP = `
Exit codes:
  0 all targets are ready, 2 an error, a missing key or program, 3 a target did not answer
`

async function showTargets(name: string | undefined, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ readTargets, targetStatus }, { requireTargetsFile }, { targetsData, targetsText }] = await Promise.all([
    import('../../operations/ping-targets.ts'),
    import('../../operations/targets-file.ts'),
    import('../terminal/targets-text.ts'),
  ])
  const file = await requireTargetsFile(options.targets, host)
  const list = await readTargets(file, name, host)
  terminal.redactWith(createRedactor(list.secrets).text)
  const { diagnostics } = list
  const isUnknown = name !== undefined && list.targets.length === 0
  if (isUnknown || !options.json) reportDiagnostics(diagnostics, context)
  if (isUnknown) return reportUnknown(name, file, list, context)
  const { targets, signalled }: Pinged = options.ping
    ? await ping(list.targets, options, context)
    : { targets: list.targets, signalled: undefined }
  if (options.json) terminal.json(targetsData(targets, diagnostics, file, terminal.path))
  else terminal.out(targetsText(targets, file, terminal.path, terminal.palette('stdout')))
  if (signalled !== undefined) return signalled
  if (targets.some(({ ping }) => ping?.error?.code === 'bug')) {
    terminal.err(BUG_TEXT)
    return EXIT.bug
  }
  return exitCode(targets.map(targetStatus), hasErrors(diagnostics))
}

function reportDiagnostics(diagnostics: readonly Diagnostic[], { terminal }: CommandContext): void {
  const palette = terminal.palette('stderr')
  for (const each of diagnostics) terminal.err(`${renderText(each, terminal.path(each.file), palette)}\n`)
}

function reportUnknown(
  name: string,
  file: string,
  { names, diagnostics }: { readonly names: readonly string[]; readonly diagnostics: readonly Diagnostic[] },
  { terminal }: CommandContext,
): ExitCode {
  const known = names.length > 0 ? `the targets are ${names.join(', ')}` : 'it has no targets'
  const hint = didYouMean(name, names, known)
  // Where the file cannot be read, that is the reason.
  if (names.length > 0 || !hasErrors(diagnostics))
    terminal.err(
      `No target named ${[name, terminal.path(file)].map(printableLine).join(' in ')}: ${printableLine(hint)}\n`,
    )
  return EXIT.userError
}

interface Pinged {
  readonly targets: readonly CheckedTarget[]
  /** The exit code of a signal that came. */
  readonly signalled: ExitCode | undefined
}

/** Pings targets until a signal stops it. */
async function ping(listed: readonly CheckedTarget[], options: Options, context: CommandContext): Promise<Pinged> {
  const { pingable, pingTargets } = await import('../../operations/ping-targets.ts')
  const progress = progressOf(pingable(listed).length, options, context)
  const signals: SignalWatch = watchSignals(context.host, () =>
    progress.say('Stopping. Press Ctrl-C again to stop at once.'),
  )
  const onPing = (name: string) => progress.begin(name)
  const targets = await pingTargets(listed, { signal: signals.signal, onPing }, context.host)
  progress.end()
  signals.stop()
  return { targets, signalled: signals.code }
}

/** Progress for people; none where a program reads. */
function progressOf(count: number, { json }: Options, { host, terminal }: CommandContext): PingProgress {
  if (json) return silentPings
  const { err: write, columns, isLive } = terminal
  return pingProgress(count, { write, columns, isLive, clock: host.clock })
}

function exitCode(statuses: readonly TargetStatus[], isBroken: boolean): ExitCode {
  if (isBroken || statuses.includes('mistake') || statuses.includes('missing')) return EXIT.userError
  return statuses.includes('no answer') ? EXIT.incomplete : EXIT.ok
}
