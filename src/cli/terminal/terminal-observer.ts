import { printableLine, terminalSafeJson } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { RunEvent } from '../../model/attempt.ts'
import type { Evidence } from '../../model/decision.ts'
import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import type { RunObserver } from '../../operations/run/run-observer.ts'
import type { OpenRecords, Resumed } from '../../operations/run/run-records.ts'
import { evidenceText } from '../../report/outcome/decisions.ts'
import { liveProgress } from './live-progress.ts'
import { plainProgress } from './plain-progress.ts'
import { type Progress, silent, verboseText, warningText } from './progress.ts'
import { unversionedWarnings } from './status-text.ts'
import type { Terminal } from './terminal.ts'

export interface ObserverOptions {
  readonly cache?: boolean | undefined
  readonly affected?: boolean | undefined
  readonly rerun_failed?: string | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly verbose?: boolean | undefined
}

/** Shows the progress of a run. */
export class TerminalObserver implements RunObserver {
  readonly #options: ObserverOptions
  readonly #terminal: Terminal
  readonly #host: Host
  #progress: Progress

  constructor(options: ObserverOptions, terminal: Terminal, host: Host) {
    this.#options = options
    this.#terminal = terminal
    this.#host = host
    this.#progress = silent(terminal.palette('stderr'), terminal.err)
  }

  onStart({ folder, plan, most, resumed }: OpenRecords): void {
    const planned = most ?? plan.attempts.length
    this.#progress = this.#progressFor(planned - folder.index.size)
    for (const { target, control, differs_in } of plan.arms)
      if (differs_in.length === 0) this.onWarning(`arms ${target} and ${control} do not differ`)
    if (resumed || this.#options.cache || this.#options.affected)
      for (const warning of unversionedWarnings(plan)) this.onWarning(warning)
    if (resumed)
      for (const line of resumeLines(resumed, planned, folder.damaged_lines, this.#options)) this.onMessage(line)
    if (this.#options.json) for (const result of folder.results()) this.#printRecord(JSON.stringify(result))
  }

  onEvent(event: RunEvent): void {
    this.#progress.event(event)
  }

  onResult(result: Result, line: string): void {
    this.#progress.result(result)
    if (this.#options.verbose) this.#progress.say(verboseText(result))
    if (this.#options.json) this.#printRecord(line)
  }

  onEvidence(read: () => readonly Evidence[]): void {
    this.#progress.evidence(() => read().map(evidenceText))
  }

  onWarning(message: string): void {
    this.#progress.say(warningText(message, this.#terminal.palette('stderr')))
  }

  onMessage(message: string): void {
    this.#progress.say(printableLine(message))
  }

  end(): void {
    this.#progress.end()
  }

  #progressFor(total: number): Progress {
    const { err: write, columns, rows, isLive } = this.#terminal
    const palette = this.#terminal.palette('stderr')
    const { clock, terminal } = this.#host
    if (this.#options.quiet || this.#options.json) return silent(palette, write)
    return isLive
      ? liveProgress(total, palette, { write, columns, rows, clock, onResize: call => terminal.onResize(call) })
      : plainProgress(total, palette, write, clock)
  }

  #printRecord(line: string): void {
    this.#terminal.out(terminalSafeJson(`${line}\n`))
  }
}

/** What a resumed run has, and what it makes again, each with the reason. */
function resumeLines(resumed: Resumed, planned: number, damaged: number, { rerun_failed }: ObserverOptions): string[] {
  const { recorded, changed, reasons, dropped, remarked, rerun } = resumed
  const again = (rerun?.added.length ?? 0) + (rerun?.replaced.length ?? 0)
  return [
    `Resuming: ${recorded} of ${plural(planned, 'attempt')} recorded.`,
    ...(damaged > 0 ? [`${plural(damaged, 'damaged line')} in the records; their attempts are made again.`] : []),
    ...(changed > 0 ? [`${plural(changed, 'attempt')} made again: ${reasons.join(', ')}.`] : []),
    ...(dropped.attempts > 0 ? [droppedText(dropped)] : []),
    ...(remarked > 0 ? [`${plural(remarked, 'recorded attempt')} marked as in the suite now.`] : []),
    ...(again > 0 ? [`${plural(again, 'attempt')} made again: failed or errored.`] : []),
    ...(rerun_failed !== undefined && again === 0 ? ['No failed or errored attempts to make again.'] : []),
  ]
}

/** Formats `3 recorded attempts no longer count, 2 of them not passed: not part of this request.` */
function droppedText({ attempts, not_passed }: Resumed['dropped']): string {
  const failed = not_passed > 0 ? `, ${not_passed} of them not passed` : ''
  return `${plural(attempts, 'recorded attempt')} no longer ${attempts === 1 ? 'counts' : 'count'}${failed}: not part of this request.`
}
