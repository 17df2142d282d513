import { hasErrors } from '../../../diagnostics/diagnostic.ts'
import type { Host } from '../../../model/host.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import type { Measured, Part } from '../../../model/tuning.ts'
import { InvalidFile } from '../../invalid-file.ts'
import { loadSuites } from '../../load-suites.ts'
import type { MeasuredRun } from '../../proposals/measure-plan.ts'
import { runtimeOn } from '../../runtime.ts'
import { measure, type TuningContext, type TuningMeasurement } from './measure.ts'
import { measuredOf, targetName } from './measured.ts'
import type { PreparedTuning } from './prepare-tuning.ts'
import { requireComplete } from './require-complete.ts'
import { attemptCosts, proposalCosts, recordedRounds } from './session-totals.ts'
import { copySkill } from './skill-source.ts'
import type { TuneRun } from './tune-run.ts'
import { tunedTarget } from './tuned-target.ts'

/** Measures descriptions on the queries of a session. */
export class Measurements {
  /** The queries, as tests. */
  readonly suite: Suite
  readonly #prepared: PreparedTuning
  readonly #run: TuneRun
  readonly #host: Host

  private constructor(suite: Suite, prepared: PreparedTuning, run: TuneRun, host: Host) {
    this.suite = suite
    this.#prepared = prepared
    this.#run = run
    this.#host = host
  }

  static async load(prepared: PreparedTuning, run: TuneRun, host: Host): Promise<Measurements> {
    const { folder, session } = prepared
    const { loaded } = await loadSuites({ paths: [folder.queriesFile(session)] }, runtimeOn(host))
    const [suite] = loaded.suites
    if (!suite || hasErrors(loaded.diagnostics)) throw new InvalidFile(loaded.diagnostics)
    return new Measurements(suite, prepared, run, host)
  }

  /** The agent with a copy of the skill: 0 is the skill as it is. */
  async target(number: number, description?: string): Promise<Target> {
    const { folder, session, skill, target } = this.#prepared
    const original = folder.copyFolder(0, session)
    await copySkill(skill, original, undefined, this.#host)
    const copy = folder.copyFolder(number, session)
    await copySkill({ folder: original, text: skill.text }, copy, description, this.#host)
    const tuned = { skill: skill.folder, copy, workspace: folder.workspace }
    return tunedTarget(target, targetName(number), tuned, this.suite, this.#host)
  }

  /** Throws `Incomplete` if attempts are missing. */
  async measure(measurement: TuningMeasurement): Promise<MeasuredRun> {
    const run = await measure(measurement, await this.#measureContext())
    requireComplete(run)
    return run
  }

  async #measureContext(): Promise<TuningContext> {
    const { folder, session, folders, redactor, timeout_seconds, options } = this.#prepared
    const { max_cost_usd: most, workers = this.#host.cores, command } = options
    const max_cost_usd =
      most === undefined ? undefined : Math.max(0, most - proposalCosts(await recordedRounds(this.#prepared)))
    const { observer, signal } = this.#run
    const { suite } = this
    const shared = { session: folder, suite, queries: session.queries, folders, redactor, observer, signal }
    const spent = () => attemptCosts(this.#prepared, this.#host)
    return { ...shared, workers, timeout_seconds, max_cost_usd, spent, command, host: this.#host }
  }

  /** How a description did in a run. */
  of(number: number, { facts }: MeasuredRun, part: Part): Measured {
    const measured = measuredOf(number, this.queries(part), facts)
    if (!measured) throw new RangeError(`Candidate ${number} is not measured.`)
    return measured
  }

  queries(part: Part) {
    return this.#prepared.session.queries.filter(query => query.part === part)
  }
}
