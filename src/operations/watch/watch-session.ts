import { canonicalJson } from '../../lib/json/stringify.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import { latestRun } from '../../record/find-run.ts'
import type { RunFolder } from '../../record/run-folder.ts'
import { type PlannedRun, planRun } from '../evaluate.ts'
import { type AffectedRun, planAffected } from '../run/affected-run.ts'
import { type ResolvedRun, resolveRun } from '../run/resolve-run.ts'
import type { RunRequest } from '../run/run-request.ts'
import { runtimeOn } from '../runtime.ts'
import { ObservedFiles, observeFiles } from './observe-files.ts'
import { type CycleTests, SessionResults } from './session-results.ts'
import { watchedFolders } from './watched-folders.ts'
import { WrittenFiles } from './written-files.ts'

/** A plan of the files as they are now. */
export interface SessionPlan {
  readonly resolved: ResolvedRun
  readonly planned: PlannedRun
}

/** What a run has changed besides its records. */
export interface RunTraces {
  /** Data files of targets that changed during the run for the first time. They count as before. */
  readonly written: readonly string[]
  /** Names of tests that passed now and failed before, though nothing changed. */
  readonly flaky: readonly string[]
}

/** Plans the same request again and again, and knows what has been run. */
export class WatchSession {
  readonly #request: RunRequest
  readonly #host: Host
  readonly #written: WrittenFiles
  #results: SessionResults | undefined
  #observed = new ObservedFiles()
  #folders: ReadonlySet<string> = new Set()
  /** What the last run was made of; undefined before the first one. */
  #signature: string | undefined
  /** The newest run before the session. */
  #before: { readonly previous: string | undefined } | undefined

  constructor(request: RunRequest, host: Host) {
    this.#request = request
    this.#host = host
    this.#written = new WrittenFiles(host)
  }

  /** The folders in which a change may concern the session. */
  get folders(): ReadonlySet<string> {
    return this.#folders
  }

  /** Whether a path was read for the last plan, and no agent writes it. */
  isRead(path: string): boolean {
    return this.#observed.read.has(path) && !this.#written.has(path)
  }

  /** Plans the request. Throws `UserError`. */
  async plan(): Promise<SessionPlan> {
    return this.#planWith(await this.#written.before())
  }

  /** Whether what a run would be made of is not what the last one was made of. */
  isChanged(plan: Plan): boolean {
    return this.#signature !== signatureOf(plan)
  }

  /** Whether most attempts that a run has yet to make are outdated. Files with errors outdate nothing. */
  async isOutdated(running: Plan, isMade: (id: string) => boolean): Promise<boolean> {
    const before = await this.#written.beforeDuring(running.contents)
    const { planned } = await this.#planWith(before)
    if (!planned.plan) return false
    const current = new Set(planned.plan.attempts.map(identityOf))
    const open = running.attempts.filter(({ id }) => !isMade(id))
    const outdated = open.filter(attempt => !current.has(identityOf(attempt)))
    return outdated.length > open.length / 2
  }

  /** Leaves the tests of a cycle in a plan; the first cycle runs what the request says. */
  async select(plan: Plan, { request, folders }: ResolvedRun, tests: CycleTests): Promise<AffectedRun> {
    this.#results ??= new SessionResults(folders.root)
    if (this.#results.run_id === undefined && request.affected && tests === 'affected')
      return planAffected(plan, request, folders, undefined, this.#host)
    return this.#results.select(plan, tests)
  }

  /** The last run; undefined before the first one. */
  get run_id(): string | undefined {
    return this.#results?.run_id
  }

  /** Forgets which files agents write: they count as they are now. */
  forgetWritten(): void {
    this.#written.clear()
  }

  /** Takes a plan as known: only another one starts a run. */
  accept(plan: Plan): void {
    this.#signature = signatureOf(plan)
  }

  /** Adds the results of a run. With `countsEdits`, changed files that earlier runs left alone were edited. */
  async finish(plan: Plan, folder: RunFolder, options: { readonly countsEdits: boolean }): Promise<RunTraces> {
    const flaky = this.#results?.add(folder, plan).map(({ test_id, target }) => `${test_id} on ${target}`) ?? []
    return { flaky, written: await this.#written.afterRun(plan.contents, options) }
  }

  async #planWith(files_before: ReadonlyMap<string, string>): Promise<SessionPlan> {
    const observed = new ObservedFiles()
    const host = observeFiles(this.#host, observed)
    let resolved: ResolvedRun | undefined
    let planned: PlannedRun | undefined
    try {
      resolved = await resolveRun(this.#request, host)
      const { request, config, folders } = resolved
      // The runs of the session itself do not change what its tests are compared with.
      this.#before ??= { previous: await latestRun(folders.runs_folder, this.#host) }
      const compared = { runs_folder: folders.runs_folder, after: this.#before }
      planned = await planRun(request, runtimeOn(host), { config, files_before, compared })
      return { resolved, planned }
    } finally {
      await this.#watchWhat(observed, resolved, planned?.plan !== undefined)
    }
  }

  /** A plan with errors has not looked at everything, so that nothing is left out that was watched before. */
  async #watchWhat(observed: ObservedFiles, resolved: ResolvedRun | undefined, isWhole: boolean): Promise<void> {
    const folders = resolved ? await watchedFolders(observed, resolved.folders, this.#host) : new Set<string>()
    this.#folders = isWhole ? folders : new Set([...this.#folders, ...folders])
    if (!isWhole) for (const path of this.#observed.read) observed.read.add(path)
    this.#observed = observed
  }
}

/** What an attempt is made of. */
function identityOf({ id, judges_hash }: Attempt): string {
  return `${id} ${judges_hash}`
}

/** Everything about the tests of a plan that a result, or its meaning for the gate, depends on. */
function signatureOf({ attempts, skipped, not_applicable }: Plan): string {
  return sha256(
    canonicalJson([
      attempts.map(attempt => [
        attempt.suite.name,
        identityOf(attempt),
        attempt.mark ?? null,
        attempt.is_control ?? false,
      ]),
      skipped.map(({ suite, test, reason }) => [suite.name, test.id, reason]),
      not_applicable.map(({ suite, test, target }) => [suite.name, test.id, target.name]),
    ]),
  )
}
