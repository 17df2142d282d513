import type { Prepared, RunOptions } from '../evaluate.ts'
import { safeJson } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { Plan } from '../plan/attempt.ts'
import type { RunFolder } from '../record/run-folder.ts'
import type { EvalOptions } from './eval-options.ts'
import { type RunLog, runLog } from './log/run-log.ts'
import { liveProgress } from './terminal/live-progress.ts'
import { plainProgress } from './terminal/plain-progress.ts'
import { type Progress, silent } from './terminal/progress.ts'
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
  readonly #isResumed: boolean
  readonly #host: Host
  progress: Progress = silent(paletteFor(process.stderr), terminal.err)
  log: RunLog | undefined

  constructor(prepared: Ready, options: EvalOptions, { begun }: Pick<RunOptions, 'begun'>, host: Host) {
    this.#prepared = prepared
    this.#options = options
    this.#isResumed = begun !== undefined
    this.#host = host
  }

  start(folder: RunFolder): void {
    const { plan } = this.#prepared
    const recorded = folder.index.size
    this.progress = progressFor(plan.attempts.length - recorded, this.#options)
    this.log = runLog(folder, this.#prepared, this.#options, this.#host)
    if (this.#isResumed) this.progress.say(resumeText(recorded, plan.attempts.length, folder.damaged))
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
  terminal.out(safeJson(`${line}\n`))
}

function progressFor(total: number, { quiet, json }: EvalOptions): Progress {
  const palette = paletteFor(process.stderr)
  if (quiet || json) return silent(palette, terminal.err)
  return isLive(process.stderr)
    ? liveProgress(total, palette, { write: terminal.err, columns: () => process.stderr.columns })
    : plainProgress(total, palette, terminal.err)
}

function resumeText(recorded: number, planned: number, damaged: number): string {
  const lost = damaged > 0 ? `; ${damaged} damaged lines are made again` : ''
  return `Going on: ${recorded} of ${planned} attempts are recorded already${lost}.`
}
