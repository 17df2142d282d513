import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import type { Shard } from '../../src/plan/units.ts'
import { evaluateGate, type GateOptions } from '../../src/report/outcome/gate.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { examples } from '../support/random-examples.ts'
import { isFailure, type OutcomeOf, PlannedRun, planOf } from './planned-run.ts'

const PASS = {}
const FAIL = { score: 0, verdict: 'fail' } as const
const BORDERLINE = { score: 0.7, verdict: 'borderline' } as const
const CRASH = failed('program-failed')
const UNREACHED = failed('network', { never_reached: true })
const UNJUDGED = failed('judge-failed', { stage: 'grade' })

function failed(code: string, more: object = {}): Partial<Result> {
  const error = { code, stage: 'answer', message: code, ...more } as Result['error']
  return { score: null, verdict: 'error', answer: null, error }
}

const one = planOf({ tests: [{ id: 'a' }] })
const inTurn = (...outcomes: readonly Partial<Result>[]): OutcomeOf => {
  const left = [...outcomes]
  return () => left.shift() ?? PASS
}

describe('addReruns', () => {
  it.each<[what: string, first: Partial<Result>, trials: number]>([
    ['adds a trial for a failure', FAIL, 2],
    ['adds a trial for a crash of the agent', CRASH, 2],
    ['replaces an error that never reached the agent', UNREACHED, 1],
    ['replaces an error of the judge', UNJUDGED, 1],
    ['leaves a borderline attempt alone', BORDERLINE, 1],
    ['leaves a pass alone', PASS, 1],
  ])('%s', (_, first, trials) => {
    const run = new PlannedRun()
    run.execute(one, () => first)
    run.execute(one, () => PASS, true)
    expect(run.attempts).toHaveLength(trials)
    const { reruns, tests } = outcomeOf(run.reader)
    expect(tests[0]?.attempts).toBe(trials)
    expect(reruns).toEqual(first === PASS || first === BORDERLINE ? undefined : { attempts: 1, reruns: 1 })
  })

  it('reruns each failure once, even if it is requested again', () => {
    const run = new PlannedRun()
    run.execute(one, () => FAIL)
    for (let count = 0; count < 3; count++) run.execute(one, inTurn(FAIL), true)
    expect(run.results.map(({ trial, rerun }) => [trial, rerun])).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
      [4, 3],
    ])
    run.execute(one, () => PASS, true)
    run.execute(one, () => PASS, true)
    expect(run.results).toHaveLength(5)
  })

  it('keeps added attempts when the run is resumed or has more trials', () => {
    const run = new PlannedRun()
    run.execute(one, () => FAIL)
    run.execute(one, () => PASS, true)
    run.execute(planOf({ tests: [{ id: 'a' }], trials: 3 }), () => PASS)
    expect(run.attempts.map(({ trial, rerun }) => [trial, rerun])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ])
    expect(outcomeOf(run.reader).reruns).toEqual({ attempts: 1, reruns: 1 })
  })
})

describe('shards', () => {
  it('of 12 tests in 4 parts have 3 tests each', () => {
    const tests = Array.from({ length: 12 }, (_, index) => ({ id: `t${index}` }))
    const sizes = [1, 2, 3, 4].map(index => planOf({ tests, shard: { index, of: 4 } }).attempts.length)
    expect(sizes).toEqual([3, 3, 3, 3])
  })

  it('are even, disjoint and complete, and keep tests and conversations together', () => {
    const test = fc.record({ conversation: fc.option(fc.nat(3), { nil: undefined }) })
    const all = fc.tuple(fc.array(test, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 6 }))
    fc.assert(
      fc.property(all, fc.integer({ min: 1, max: 3 }), ([written, of], trials) => {
        const tests = written.map(({ conversation }, index) => ({
          id: `t${index}`,
          ...(conversation === undefined ? {} : { conversation_id: `c${conversation}` }),
        }))
        const targets = ['one', 'two']
        const shards = Array.from({ length: of }, (_, index) =>
          planOf({ tests, targets, trials, shard: { index: index + 1, of } }),
        )
        const whole = planOf({ tests, targets, trials })
        const ids = shards.flatMap(({ attempts }) => attempts.map(({ id }) => id))
        expect(ids.sort()).toEqual(whole.attempts.map(({ id }) => id).sort())
        expect(new Set(shards.map(({ id }) => id))).toEqual(new Set([whole.id]))
        const units = shards.map(({ attempts }) => new Set(attempts.map(({ test }) => test.conversation_id ?? test.id)))
        const sizes = units.map(({ size }) => size)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
        expect(sizes.reduce((sum, size) => sum + size)).toBe(new Set(units.flatMap(unit => [...unit])).size)
      }),
    )
  })
})

/** The state of a run: its gate, its reruns, and the attempts that pass the gate. */
function stateOf(run: PlannedRun, options: GateOptions) {
  const outcome = outcomeOf(run.reader)
  const { held } = evaluateGate(outcome, options)
  return {
    held: held && outcome.not_run === 0,
    again: outcome.reruns?.attempts ?? 0,
    passing: passing(run, options),
  }
}

/** The number of attempts that pass the gate. */
function passing({ reader }: PlannedRun, { fail_on, min_pass_rate }: GateOptions): number {
  const isStrict = fail_on === 'borderline' || min_pass_rate !== undefined
  return [...reader.results()].filter(({ verdict }) => verdict === 'pass' || (verdict === 'borderline' && !isStrict))
    .length
}

type Step = 'resume' | 'rerun' | 'more trials' | 'fewer trials' | 'reorder' | 'merge'

/** A run that is resumed, rerun, reordered and merged. */
class RunHistory {
  readonly run = new PlannedRun()
  #tests: readonly { readonly id: string }[]
  #trials = 2

  constructor(tests: number, outcomes: readonly Partial<Result>[]) {
    this.#tests = Array.from({ length: tests }, (_, index) => ({ id: `t${index}` }))
    this.run.execute(this.#plan(), inTurn(...outcomes))
  }

  take(step: Step, outcomes: readonly Partial<Result>[]): void {
    if (step === 'more trials') this.#trials++
    if (step === 'fewer trials') this.#trials = Math.max(1, this.#trials - 1)
    if (step === 'reorder') this.#tests = [...this.#tests].reverse()
    if (step === 'merge') this.#merge()
    else this.run.execute(this.#plan(), inTurn(...outcomes), step === 'rerun')
  }

  #plan(shard?: Shard) {
    return planOf({ tests: this.#tests, trials: this.#trials, ...(shard ? { shard } : {}) })
  }

  /** Splits the records by shard and merges them. */
  #merge(): void {
    const { results } = this.run
    const parts = [1, 2].map(index => {
      const tests = new Set(this.#plan({ index, of: 2 }).attempts.map(({ test }) => test.id))
      return results.filter(({ test_id }) => tests.has(test_id))
    })
    results.splice(0, results.length, ...parts.flat())
  }
}

it('never turns a failing gate into a passing one without counted and reported new passes', () => {
  const outcome = fc.constantFrom(PASS, FAIL, BORDERLINE, CRASH, UNREACHED, UNJUDGED)
  const steps = fc.constantFrom<Step>('resume', 'rerun', 'more trials', 'fewer trials', 'reorder', 'merge')
  const options = fc.oneof(
    fc.record({ fail_on: fc.constantFrom('fail' as const, 'borderline' as const) }),
    fc.record({ min_pass_rate: fc.constantFrom(0.2, 0.5, 0.8, 1) }),
    fc.record({ allow_flaky: fc.boolean() }),
  )
  const outcomes = fc.array(outcome, { maxLength: 12 })
  const start = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(outcome, { minLength: 4, maxLength: 12 }))
  const actions = fc.array(fc.tuple(steps, outcomes), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(start, actions, options, ([count, first], steps, gateOptions) => {
      const history = new RunHistory(count, first)
      const { run } = history
      for (const [step, outcomes] of steps) {
        const before = stateOf(run, gateOptions)
        const against = [...run.reader.results()].filter(isFailure).map(({ attempt_id }) => attempt_id)
        history.take(step, outcomes)
        const after = new Set([...run.reader.results()].map(({ attempt_id }) => attempt_id))
        // No failure is lost.
        expect(against.filter(id => !after.has(id))).toEqual([])
        const now = stateOf(run, gateOptions)
        // A replaced error is reported as a rerun.
        if (!before.held && now.held && now.passing <= before.passing) expect(now.again).toBeGreaterThan(before.again)
      }
    }),
    { numRuns: examples(1000) },
  )
})
