import { resolve } from 'node:path'
import { type Prepared, prepare } from '../evaluate.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import type { RunInfo } from '../model/run-info.ts'
import { loadConfig } from '../parse/config.ts'
import { providers } from '../providers/index.ts'
import { findRun } from '../record/find-run.ts'
import type { ResumableRun } from '../record/open-run.ts'
import { findProjectFolders, type ProjectFolders } from '../record/project-folders.ts'
import { RunError } from '../record/run-error.ts'
import { readRunInfo } from '../record/run-folder.ts'
import { type EvalOptions, selectionOf, withGateOf, withLogOf } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { RunName } from './next-command.ts'
import { orMistake } from './or-mistake.ts'
import { planText } from './plan-text.ts'
import { queueOf } from './queue-place.ts'
import { openQueue } from './queued-eval.ts'
import { hasMistakes } from './read-config.ts'
import { requireNamed } from './require-named.ts'
import { runAndReport } from './run-and-report.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { paletteFor, terminal } from './terminal/terminal.ts'
import { checkOutputs } from './write-outputs.ts'

/** `assay eval`: a suite in, verdicts out. */
export function evalCommand(paths: readonly string[], given: EvalOptions, host: Host = nodeHost()): Promise<ExitCode> {
  return orMistake(async () => {
    const place = await findProjectFolders(given.runsDir, host)
    await checkOutputs(given.output, host)
    const loadedConfig = await loadConfig(place.settings_folder, host)
    if (hasMistakes(loadedConfig)) return EXIT.mistakes
    const { config, at } = loadedConfig
    const begun = await begunRun(paths, given, place, host)
    const selection = selectionOf(paths, given, begun?.info, loadedConfig)
    const options = { log: config.log, ...withLogOf(withGateOf(given, begun?.info), begun?.info, place.root) }
    sayUnlogged(options, begun)
    const queue = await queueOf(given.queue, host)
    const files_before = begun && writtenFiles(begun.info)
    const world = { host, evaluators, providers, config: begun ? undefined : at, files_before, secrets: queue?.secrets }
    const prepared = await prepare(selection, world)
    terminal.redact = prepared.redactor.text
    const { plan, found, loaded, diagnostics } = prepared
    if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
    if (!plan) return exitCodeWith(found, host, EXIT.mistakes)
    if (plan.total === 0) return reportNothing(prepared, host)
    if (options.plan) {
      terminal.out(planText(plan, options.json))
      return exitCodeWith(found, host, EXIT.ok)
    }
    const { timeout_seconds } = config
    const pace = { workers: given.workers ?? config.workers, timeout_seconds }
    const asked = { ...selection, timeout_seconds, cache: options.cache }
    const queued =
      queue && (await openQueue(queue, plan, { ...place, asked, is_rerun: begun?.rerun_failed ?? false }, host))
    try {
      const how = { ...place, ...pace, begun, name: begun?.name, makers: queued?.makers }
      return exitCodeWith(found, host, await runAndReport({ ...prepared, plan }, selection, options, how, host))
    } finally {
      queued?.close()
    }
  })
}

/** The run to go on with. Without an earlier one, a resume begins a new one and says so. */
async function begunRun(
  paths: readonly string[],
  options: EvalOptions,
  place: ProjectFolders,
  host: Host,
): Promise<(ResumableRun & { readonly name: RunName }) | undefined> {
  const wanted = options.rerunFailed ?? options.resume
  if (wanted === undefined) return undefined
  const found = await findRun(wanted, place.runs_folder, host).catch(error => {
    if (wanted !== 'latest' || !(error instanceof RunError)) throw error
    terminal.err('There is no earlier run: this is a new one.\n')
    return undefined
  })
  if (!found) return undefined
  const info = await readRunInfo(found.folder, host)
  if (!info) throw new RunError(`${found.folder} has no run.json, so it cannot be resumed.`)
  if (info.source !== undefined)
    throw new RunError(
      `${info.run_id} judged the answers of ${info.source} again: \`assay grade ${info.source}\` does so once more.`,
    )
  const named = { suites: paths, targets_file: options.targets, suite_words: 'PATH' }
  const name = await requireNamed(wanted, { found, info, named }, place, host)
  return { name, folder: found.folder, info, rerun_failed: options.rerunFailed !== undefined }
}

/** Reports a run that was logged and is resumed without its log. */
function sayUnlogged({ log }: EvalOptions, begun: ResumableRun | undefined): void {
  const log_dir = begun?.info.options['log_dir']
  if (log_dir === undefined || log !== undefined) return
  terminal.err(`Not logged: ${printableLine(String(log_dir))} is outside of this repository. Name it with --log-dir.\n`)
}

/** The files that the agents of a run write to count as they were when it began. */
function writtenFiles({ root, target_files = [], written = [] }: RunInfo): Map<string, string> {
  const counted = target_files.filter(({ file }) => written.includes(file))
  return new Map(counted.map(({ file, sha256 }) => [resolve(root, file), sha256]))
}

function reportNothing({ loaded, found }: Prepared, host: Host): ExitCode {
  const tests = loaded.suites.reduce((sum, suite) => sum + suite.tests.length, 0)
  if (tests > 0)
    terminal.err(`Nothing selected: none of ${tests} tests has such an id and tag. \`assay list\` shows them.\n`)
  return exitCodeWith(found, host, EXIT.nothing)
}
