import { applicableChecks } from '../model/applicability.ts'
import { type Check, nestedChecks } from '../model/check.ts'
import type { HostClock } from '../model/host.ts'
import type { GradedTarget } from '../model/target.ts'

/** Returns the order of checks of which some alter the workspace; undefined if none does. */
export function alterationOrder(
  checks: readonly Check[],
  target: GradedTarget,
  clock: HostClock,
): AlterationOrder | undefined {
  if (!checks.some(mayAlter)) return undefined
  const altering = [...applicableChecks(checks, target)].filter(({ evaluator }) => evaluator.alters_workspace)
  return altering.length > 0 ? new AlterationOrder(altering, clock) : undefined
}

function mayAlter(check: Check): boolean {
  return check.evaluator.alters_workspace === true || nestedChecks(check).some(mayAlter)
}

/** Runs checks that alter the workspace one at a time, in their order in the suite, while no other check looks at it. */
export class AlterationOrder {
  readonly #altering: readonly Check[]
  readonly #clock: HostClock
  readonly #waiting = new Map<Check, () => void>()
  readonly #paused: (() => void)[] = []
  #others = 0
  #isAltering = false

  constructor(altering: readonly Check[], clock: HostClock) {
    this.#altering = altering
    this.#clock = clock
  }

  /** Grades a check when its turn has come. A check that contains others only waits for them. */
  run<T>(check: Check, grade: () => T | Promise<T>): T | Promise<T> {
    if (nestedChecks(check).length > 0) return grade()
    return check.evaluator.alters_workspace ? this.#alter(check, grade) : this.#look(grade)
  }

  async #alter<T>(check: Check, grade: () => T | Promise<T>): Promise<T> {
    const turn = new Promise<void>(start => this.#waiting.set(check, start))
    this.#next()
    await turn
    try {
      return await grade()
    } finally {
      this.#isAltering = false
      for (const resume of this.#paused.splice(0)) resume()
      this.#next()
    }
  }

  async #look<T>(grade: () => T | Promise<T>): Promise<T> {
    while (this.#isAltering) await new Promise<void>(resume => this.#paused.push(resume))
    this.#others++
    try {
      return await grade()
    } finally {
      this.#others--
      this.#next()
    }
  }

  /** Starts the next alteration, if no other check is running. */
  async #next(): Promise<void> {
    // Checks inside of others begin a moment later.
    await this.#clock.yieldToEvents()
    if (this.#isAltering || this.#others > 0) return
    const check = this.#altering.find(each => this.#waiting.has(each))
    if (!check) return
    const start = this.#waiting.get(check)
    this.#waiting.delete(check)
    this.#isAltering = true
    start?.()
  }
}
