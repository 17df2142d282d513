import type { Prepared } from '../evaluate.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import type { Target } from '../model/target.ts'
import type { OpenRecords, Resumed } from '../open-records.ts'
import type { EvalOptions } from './eval-options.ts'
import { type RunLog, runLog } from './log/run-log.ts'
import { liveProgress } from './terminal/live-progress.ts'
import { plainProgress } from './terminal/plain-progress.ts'
import { type Progress, silent, warningText } from './terminal/progress.ts'
import { isLive, paletteFor, terminal } from './terminal/terminal.ts'
import { verboseText } from './terminal/verbose.ts'

/** What is ready to be run. */
export interface Ready extends Prepared {
  readonly plan: Plan
}

/** Shows and logs what a run makes. */
export class Onlooker {
  readonly #prepared: Ready
  readonly #options: EvalOptions
  readonly #host: Host
  progress: Progress = silent(paletteFor(process.stderr), terminal.err)
  log: RunLog | undefined

  constructor(prepared: Ready, options: EvalOptions, host: Host) {
    this.#prepared = prepared
    this.#options = options
    this.#host = host
  }

  start(opened: OpenRecords): void {
    const { folder, plan, resumed } = opened
    const planned = plan.attempts.length
    this.progress = progressFor(planned - folder.index.size, this.#options, this.#host)
    this.log = runLog(opened, this.#prepared.redactor, this.#options, this.#host)
    if (resumed || this.#options.cache)
      for (const name of unseenTargets(plan))
        this.progress.say(warningText(unseenText(name), paletteFor(process.stderr)))
    if (resumed)
      for (const line of resumeLines(resumed, planned, folder.damaged_lines, this.#options))
        this.progress.say(printableLine(line))
    if (this.#options.json) for (const result of folder.results()) printRecord(JSON.stringify(result))
  }

  result(result: Result, line: string): void {
    this.progress.result(result)
    this.log?.add(result.attempt_id)
    if (this.#options.verbose) this.progress.say(verboseText(result))
    if (this.#options.json) printRecord(line)
  }
}

function printRecord(line: string): void {
  terminal.out(terminalSafeJson(`${line}\n`))
}

function progressFor(total: number, { quiet, json }: EvalOptions, host: Host): Progress {
  const palette = paletteFor(process.stderr)
  if (quiet || json) return silent(palette, terminal.err)
  return isLive(process.stderr)
    ? liveProgress(total, palette, { write: terminal.err, columns: () => process.stderr.columns })
    : plainProgress(total, palette, terminal.err, host.clock)
}

/** Targets of which nothing tells whether they have changed: no file of their command is found, and they name none. */
function unseenTargets({ attempts, contents }: Plan): Set<string> {
  const targets = attempts.map(({ target }) => target)
  const isUnseen = (target: Target) =>
    contents.get(target)?.length === 0 && target.settings.version === undefined && !target.settings.depends_on
  return new Set(targets.filter(isUnseen).map(({ name }) => name))
}

function unseenText(name: string): string {
  return `${printableLine(name)}: no file of its command was found, so a changed agent is not noticed; set \`depends_on\` or \`version\``
}

/** What a resumed run has, and what it makes again, each with the reason. */
function resumeLines(resumed: Resumed, planned: number, damaged: number, { rerunFailed }: EvalOptions): string[] {
  const { recorded, changed, reasons, dropped, rerun } = resumed
  const again = (rerun?.added.length ?? 0) + (rerun?.replaced.length ?? 0)
  return [
    `Resuming: ${recorded} of ${plural(planned, 'attempt')} recorded.`,
    ...(damaged > 0 ? [`${plural(damaged, 'damaged line')} in the records; their attempts are made again.`] : []),
    ...(changed > 0 ? [`${plural(changed, 'attempt')} made again: ${reasons.join(', ')}.`] : []),
    ...(dropped.attempts > 0 ? [droppedText(dropped)] : []),
    ...(again > 0 ? [`${plural(again, 'attempt')} made again: failed or errored.`] : []),
    ...(rerunFailed !== undefined && again === 0 ? ['No failed or errored attempts to make again.'] : []),
  ]
}

/** `3 recorded attempts no longer count, 2 of them not passed: they are not part of what is asked for now.` */
function droppedText({ attempts, not_passed }: Resumed['dropped']): string {
  const failed = not_passed > 0 ? `, ${not_passed} of them not passed` : ''
  return `${plural(attempts, 'recorded attempt')} no longer ${attempts === 1 ? 'counts' : 'count'}${failed}: not part of what is asked for now.`
}
