import { hasErrors } from '../diagnostics/diagnostic.ts'
import { renderText } from '../diagnostics/render/text.ts'
import { nodeHost } from '../host/node.ts'
import { createRedactor } from '../lib/redaction/redactor.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { didYouMean } from '../lib/text/suggestion.ts'
import { listTargets, type TargetList } from '../parse/targets/list-targets.ts'
import { providers } from '../providers/index.ts'
import { targetTypes } from '../spec/targets.ts'
import { BUG_TEXT } from './bug-text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type Pinged, pingTargets } from './ping-targets.ts'
import { type SeenTarget, statusOf, targetsData } from './seen-target.ts'
import { targetsFileHere } from './targets-file-here.ts'
import { type PingProgress, pingProgress, silentPings } from './terminal/ping-progress.ts'
import { targetsText } from './terminal/targets-text.ts'
import { isLive, paletteFor, shownPath, terminal } from './terminal/terminal.ts'

interface TargetsOptions {
  readonly targets?: string
  readonly ping?: boolean
  readonly json?: boolean
}

/** `assay targets`: what each target is, whether what it needs is there and, with `--ping`, whether it answers. */
export async function targetsCommand(name: string | undefined, options: TargetsOptions): Promise<ExitCode> {
  const host = nodeHost()
  const file = await targetsFileHere(options.targets, host)
  if (file === undefined) return EXIT.mistakes
  const list = await listTargets(file, { host, types: targetTypes(providers), name })
  terminal.redact = createRedactor(list.secrets).text
  const { diagnostics } = list
  const isUnknown = name !== undefined && list.targets.length === 0
  if (isUnknown || !options.json) reportMistakes(diagnostics)
  if (isUnknown) return reportUnknown(name, file, list)
  const { seen, signalled }: Pinged = options.ping
    ? await pingTargets(list.targets, progressOf(options), host)
    : { seen: list.targets, signalled: undefined }
  const text = () => targetsText(seen, file, paletteFor(process.stdout))
  const data = () => terminalSafeJson(`${JSON.stringify(targetsData(seen, diagnostics, file), null, 2)}\n`)
  terminal.out(options.json ? data() : text())
  return signalled ?? exitCode(seen, hasErrors(diagnostics))
}

function reportMistakes(diagnostics: TargetList['diagnostics']): void {
  const palette = paletteFor(process.stderr)
  for (const each of diagnostics) terminal.err(`${renderText(each, shownPath(each.file), palette)}\n`)
}

function reportUnknown(name: string, file: string, { names, diagnostics }: TargetList): ExitCode {
  const known = names.length > 0 ? `the targets are ${names.join(', ')}` : 'it has no targets'
  const hint = didYouMean(name, names, known)
  // Where the file cannot be read, that is the reason.
  if (names.length > 0 || !hasErrors(diagnostics))
    terminal.err(`No target named ${[name, shownPath(file)].map(printableLine).join(' in ')}: ${printableLine(hint)}\n`)
  return EXIT.mistakes
}

/** What people see meanwhile: nothing where a program reads. */
function progressOf({ json }: TargetsOptions): (count: number) => PingProgress {
  if (json) return () => silentPings
  const screen = { write: terminal.err, columns: () => process.stderr.columns, isLive: isLive(process.stderr) }
  return count => pingProgress(count, screen)
}

function exitCode(seen: readonly SeenTarget[], isBroken: boolean): ExitCode {
  if (seen.some(({ ping }) => ping?.error?.code === 'bug')) {
    terminal.err(BUG_TEXT)
    return EXIT.bug
  }
  const statuses = seen.map(statusOf)
  if (isBroken || statuses.includes('mistake') || statuses.includes('missing')) return EXIT.mistakes
  return statuses.includes('no answer') ? EXIT.incomplete : EXIT.ok
}
