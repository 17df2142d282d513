import type { Plan } from '../../../model/plan.ts'
import { UserError } from '../../../model/user-error.ts'
import type { RunRequest } from '../../../operations/run/run-request.ts'
import type { CycleTests } from '../../../operations/watch/session-results.ts'
import { WatchEvents } from '../../../operations/watch/watch-events.ts'
import { type SessionPlan, WatchSession } from '../../../operations/watch/watch-session.ts'
import { checkOutputs } from '../../../operations/write-reports.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { reportMissing } from '../../missing-suites.ts'
import { reportNothing } from '../../nothing-to-run.ts'
import { requireCompatible } from '../../options.ts'
import { type SignalWatch, watchSignals } from '../../signals.ts'
import { diagnosticsText } from '../../terminal/diagnostics.ts'
import { CLEAR_SCREEN, chainText, currentText, flakyText, waitingText, writtenText } from '../../terminal/watch-text.ts'
import type { EvalOptions } from './eval-options.ts'
import { type SelectedTests, WatchedRun } from './watched-run.ts'

/** Runs the selection, then what each change of a file affects, until the user quits. */
export async function watchPaths(given: RunRequest, options: EvalOptions, context: CommandContext): Promise<ExitCode> {
  requireCompatible(options)
  await checkOutputs(options.output, context.host)
  const loop = new WatchLoop(given, options, context)
  try {
    return await loop.run()
  } finally {
    loop.close()
  }
}

/** Most runs in a row that are started since files changed during the run before: an agent may write them. */
const MOST_CHAINED = 3

/** Most repetitions of a plan during which files changed. */
const MOST_REPLANS = 3

const KEYS: Readonly<Record<string, CycleTests>> = { a: 'all', f: 'failed', return: 'again', enter: 'again' }

/** Why files are planned again, and which tests are then run. */
interface Cycle {
  readonly tests: CycleTests
  /** The files that changed, where that is known. */
  readonly paths?: ReadonlySet<string>
  /** Whether it follows a run at once, so that changes happened during that run. */
  readonly isChained?: boolean
}

type ReadyPlan = SessionPlan & { readonly plan: Plan }

class WatchLoop {
  readonly #given: RunRequest
  readonly #options: EvalOptions
  readonly #context: CommandContext
  readonly #session: WatchSession
  readonly #signals: SignalWatch
  readonly #events: WatchEvents
  /** The exit code of the last run. */
  #runCode: ExitCode = EXIT.ok
  /** The exit code if the user quits now. */
  #code: ExitCode = EXIT.ok
  /** What is wrong with the files, so that it is printed once. */
  #problem: string | undefined
  #isStart = true
  #isUnfinished = false
  /** Whether files have changed since the last run, which no change started again. */
  #isOutdated = false
  #isLeaving = false
  #chained = 0

  constructor(given: RunRequest, options: EvalOptions, context: CommandContext) {
    const { host } = context
    this.#given = given
    this.#options = options
    this.#context = context
    this.#session = new WatchSession(given, host)
    this.#signals = watchSignals(host, () => {})
    this.#events = new WatchEvents(host, error => context.reportUserError(error))
  }

  async run(): Promise<ExitCode> {
    let cycle: Cycle | undefined = { tests: 'affected' }
    while (cycle && !this.#signals.signal.aborted) {
      const next: Cycle | undefined = await this.#cycle(cycle)
      cycle = this.#isLeaving ? undefined : (next ?? (await this.#wait()))
      this.#isStart = false
    }
    return this.#signals.code ?? this.#code
  }

  close(): void {
    this.#events.close()
    this.#signals.stop()
  }

  /** Waits for a key or a change; undefined if the user quits. */
  async #wait(): Promise<Cycle | undefined> {
    for (;;) {
      const event = await this.#events.next(this.#signals.signal)
      if (!event || (event.type === 'key' && event.key === 'q')) return undefined
      if (event.type === 'changes') return { tests: 'affected', paths: event.paths }
      const tests = KEYS[event.key]
      if (tests) return { tests }
    }
  }

  /** Plans, and runs what is to be run. Returns the cycle that follows at once. */
  async #cycle(cycle: Cycle): Promise<Cycle | undefined> {
    if (!cycle.isChained) this.#chained = 0
    if (cycle.tests === 'all') this.#session.forgetWritten()
    const paths = new Set(cycle.paths)
    const ready = await this.#plan(paths)
    if (!ready) return undefined
    const { plan } = ready
    if (cycle.tests === 'affected' && !this.#session.isChanged(plan) && !this.#isUnfinished) {
      this.#showCurrent(paths)
      return undefined
    }
    if (cycle.isChained && ++this.#chained > MOST_CHAINED) {
      this.#pause(plan)
      return undefined
    }
    return this.#run(ready, cycle.tests)
  }

  /** Waits for the user where runs would follow each other without end. */
  #pause(plan: Plan): void {
    this.#isUnfinished = false
    this.#isOutdated = true
    this.#session.accept(plan)
    if (this.#runCode === EXIT.ok) this.#code = this.#runCode = EXIT.incomplete
    this.#print(chainText(MOST_CHAINED, this.#hasKeys))
    this.#showWaiting()
  }

  /** Plans the files as they are now; prints why that is not possible, and returns undefined. */
  async #plan(paths: Set<string>): Promise<ReadyPlan | undefined> {
    const { terminal } = this.#context
    try {
      const session = await this.#planSettled(paths)
      const { planned } = session
      const { plan, loaded, diagnostics, found } = planned
      terminal.redactWith(planned.redactor.text)
      const text = diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr'))
      if (!plan)
        return this.#fail(text, () => {
          terminal.err(text)
          return reportMissing(found, EXIT.userError, this.#context)
        })
      if (plan.total === 0) return this.#fail('nothing', () => reportNothing(planned, plan, this.#context))
      this.#problem = undefined
      return { ...session, plan }
    } catch (error) {
      if (this.#isStart || !(error instanceof UserError)) throw error
      return this.#failWith(error)
    }
  }

  /** Plans again if files change meanwhile: half of a group of edits would be planned. Adds their paths. */
  async #planSettled(paths: Set<string>): Promise<SessionPlan> {
    for (let again = 0; ; again++) {
      const planned = this.#session.plan()
      await planned.catch(() => {})
      this.#events.watch(this.#session.folders)
      // A file that changes all the time does not keep everything from running.
      const changed = again < MOST_REPLANS ? await this.#events.settle(this.#signals.signal) : []
      for (const path of changed) paths.add(path)
      if ([...changed].length === 0) return planned
    }
  }

  /** Prints a problem, unless it is already printed. Without any test at the start, there is nothing to wait for. */
  #fail(problem: string, report: () => ExitCode): undefined {
    const isKnown = this.#problem === problem
    this.#problem = problem
    if (isKnown) return
    this.#startScreen()
    this.#code = report()
    if (this.#isStart && this.#code === EXIT.nothing) this.#isLeaving = true
    else this.#showWaiting()
  }

  #failWith(error: unknown): undefined {
    return this.#fail(String((error as Error).message), () => {
      this.#context.reportUserError(error)
      return EXIT.userError
    })
  }

  async #run(ready: ReadyPlan, tests: CycleTests): Promise<Cycle | undefined> {
    const { plan, resolved } = ready
    try {
      const selected = await this.#session.select(plan, resolved, tests)
      if (tests === 'failed' && selected.plan.attempts.length === 0 && !this.#session.isChanged(plan)) {
        this.#print('No failed tests.\n')
        return undefined
      }
      this.#startScreen()
      this.#session.accept(plan)
      this.#isUnfinished = this.#isOutdated = false
      return await this.#follow(ready, { ...selected, tests })
    } catch (error) {
      if (this.#isStart || !(error instanceof UserError)) throw error
      return this.#failWith(error)
    }
  }

  /** Makes a run, and reacts to keys and changes meanwhile. */
  async #follow(ready: ReadyPlan, selected: SelectedTests): Promise<Cycle | undefined> {
    const run = new WatchedRun(this.#given, this.#options, this.#session, this.#context)
    const ended = run.start(ready, selected, this.#isStart)
    let next: CycleTests | undefined
    for (let event = await this.#events.next(run.ended); event; event = await this.#events.next(run.ended)) {
      if (event.type === 'changes') {
        if (this.#chained < MOST_CHAINED) await run.stopIfOutdated()
      } else if (event.key === 'q') {
        this.#isLeaving = true
        run.stop()
      } else next = KEYS[event.key] ?? next
    }
    const { code, plan } = await ended
    this.#code = this.#runCode = reportMissing(ready.planned.found, code, this.#context)
    this.#isUnfinished = run.isSuperseded
    if (run.folder) await this.#finish(plan, run.folder)
    if (!run.isSuperseded && next === undefined && !this.#isLeaving && !this.#signals.signal.aborted)
      this.#showWaiting()
    return { tests: next ?? 'affected', isChained: next === undefined }
  }

  async #finish(plan: Plan, folder: NonNullable<WatchedRun['folder']>): Promise<void> {
    const countsEdits = this.#chained < MOST_CHAINED
    const { written, flaky } = await this.#session.finish(plan, folder, { countsEdits })
    if (flaky.length > 0) this.#print(flakyText(flaky))
    if (written.length > 0) this.#print(writtenText(written.map(this.#context.terminal.path), this.#hasKeys))
  }

  /** Answers a change after which nothing is to be run. */
  #showCurrent(paths: ReadonlySet<string>): void {
    const known = [...paths].filter(path => this.#session.isRead(path))
    this.#code = this.#runCode
    if (known.length === 0) return
    if (this.#isOutdated) this.#print(chainText(MOST_CHAINED, this.#hasKeys))
    else this.#print(currentText(known.map(this.#context.terminal.path)))
  }

  #startScreen(): void {
    if (this.#isStart) return
    this.#print(this.#context.terminal.isLive ? CLEAR_SCREEN : '\n')
  }

  #showWaiting(): void {
    this.#print(waitingText(this.#events.size, this.#hasKeys))
  }

  get #hasKeys(): boolean {
    return this.#context.host.terminal.hasKeys
  }

  #print(text: string): void {
    this.#context.terminal.err(text)
  }
}
