import type { Plan } from '../../../model/plan.ts'
import { UserError } from '../../../model/user-error.ts'
import { type AffectedRun, readAgainst } from '../../../operations/run/affected-run.ts'
import { requireControl } from '../../../operations/run/require-control.ts'
import type { ResolvedRun } from '../../../operations/run/resolve-run.ts'
import type { OpenRecords } from '../../../operations/run/run-records.ts'
import type { CompleteRequest, RunRequest } from '../../../operations/run/run-request.ts'
import type { CycleTests } from '../../../operations/watch/session-results.ts'
import type { SessionPlan, WatchSession } from '../../../operations/watch/watch-session.ts'
import type { CommandContext } from '../../command-context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { runAndReport } from '../../run-and-report.ts'
import { diagnosticsText } from '../../terminal/diagnostics.ts'
import { affectedText } from '../../terminal/status-text.ts'
import { TerminalObserver } from '../../terminal/terminal-observer.ts'
import type { EvalOptions } from './eval-options.ts'

/** The tests that a run makes. */
export interface SelectedTests extends AffectedRun {
  readonly tests: CycleTests
}

interface EndedRun {
  readonly code: ExitCode
  readonly plan: Plan
}

/** One run of a session, which can be stopped. */
export class WatchedRun {
  readonly #given: RunRequest
  readonly #options: EvalOptions
  readonly #session: WatchSession
  readonly #context: CommandContext
  readonly #stop: AbortController
  readonly #ended: AbortController
  #observer: FolderObserver | undefined
  #plan: Plan | undefined
  /** Whether it was stopped since most of what it had yet to do was outdated. */
  isSuperseded = false

  constructor(given: RunRequest, options: EvalOptions, session: WatchSession, context: CommandContext) {
    this.#given = given
    this.#options = options
    this.#session = session
    this.#context = context
    this.#stop = context.host.clock.createAbortController()
    this.#ended = context.host.clock.createAbortController()
  }

  /** Aborts when the run has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** The records; undefined if the run could not be started. */
  get folder(): OpenRecords['folder'] | undefined {
    return this.#observer?.folder
  }

  /** Starts the run. The result is to be awaited after `ended`. */
  start(ready: SessionPlan, selected: SelectedTests, isFirst: boolean): Promise<EndedRun> {
    const ended = this.#run(ready, selected, isFirst).finally(() => this.#ended.abort())
    // It is handled where it is awaited, after the events of the meantime.
    ended.catch(() => {})
    return ended
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Stops the run if most of what it has yet to do is outdated by changes of files. */
  async stopIfOutdated(): Promise<void> {
    if (!this.#plan || this.isSuperseded || this.#stop.signal.aborted) return
    const isMade = (id: string) => this.folder?.index.has(id) ?? false
    const isOutdated = await this.#session.isOutdated(this.#plan, isMade).catch(error => {
      // The next plan reports it.
      if (error instanceof UserError) return false
      throw error
    })
    if (!isOutdated || this.#ended.signal.aborted || this.#stop.signal.aborted) return
    this.isSuperseded = true
    this.stop()
  }

  async #run(
    { resolved, planned }: SessionPlan,
    { plan, statuses, tests }: SelectedTests,
    isFirst: boolean,
  ): Promise<EndedRun> {
    const { host, terminal } = this.#context
    const { request, folders } = resolved
    const { loaded, diagnostics, redactor } = planned
    if (diagnostics.length > 0)
      terminal.err(diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr')))
    const isPart = plan.carried || (this.#session.run_id !== undefined && tests !== 'all')
    if (isPart) terminal.err(affectedText(plan, statuses, tests === 'affected' ? 'affected' : 'selected'))
    const reference = await readAgainst(plan, request, host)
    requireControl(plan, request)
    if (isFirst) await (await import('../../show-plan.ts')).warnOfLimits(plan, request, this.#context)
    this.#plan = plan
    const { cache } = this.#given
    const { quiet, verbose, output, by } = this.#options
    const observer = new FolderObserver({ cache, affected: isFirst, quiet, verbose }, terminal, host)
    this.#observer = observer
    const run = { request: this.#recordable(plan, resolved), folders, signal: this.#stop.signal }
    const shown = {
      observer,
      given: { request: this.#given, queue: undefined, output },
      ...{ quiet, by, reference },
      isSuperseded: () => this.isSuperseded,
    }
    return { plan, code: await runAndReport({ plan, redactor }, run, shown, this.#context) }
  }

  /** A run that carries results over can be resumed, with the same results. */
  #recordable({ carried }: Plan, { request }: ResolvedRun): CompleteRequest {
    const { run_id } = this.#session
    if (!carried || run_id === undefined) return request
    return { ...request, affected: true, against: request.against ?? run_id }
  }
}

/** Shows the progress of a run, and keeps its records at hand. */
class FolderObserver extends TerminalObserver {
  folder: OpenRecords['folder'] | undefined

  override onStart(records: OpenRecords): void {
    this.folder = records.folder
    super.onStart(records)
  }
}
