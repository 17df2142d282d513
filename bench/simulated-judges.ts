import { InternPool } from '../src/lib/collections.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import type { Interval } from '../src/lib/statistics/intervals.ts'
import { type Calibration, instrumentOf } from '../src/model/calibration.ts'
import { labelledAnswer } from '../src/model/label.ts'
import type { Result } from '../src/model/result.ts'
import { factsOf, type RunReader, testKey } from '../src/model/run-reader.ts'
import { correctedOutcome } from '../src/report/outcome/corrected/corrected-rates.ts'
import { estimatesOf, rateOf } from '../src/report/outcome/estimates.ts'
import { roganGladenRate } from './rogan-gladen.ts'

/** A judge with known errors, the answers that it judges, and the labels of people. */
export interface JudgeWorld {
  readonly name: string
  readonly sensitivity: number
  readonly specificity: number
  /** The true pass rate of each target. */
  readonly rates: readonly number[]
  /** Tests of each target, and attempts at each test. */
  readonly tests: number
  readonly trials?: number
  /** The correlation of attempts at one test, and of those in clusters of as many tests. */
  readonly icc?: number
  readonly cluster?: number
  /** The share of attempts that end in an error, which does not pass. */
  readonly errors?: number
  readonly labels: number
  /** The true pass rate of the run with the labels; undefined: the run itself has them. */
  readonly labelled?: number
}

/** How often intervals contain the truth, and how wide they are. */
export interface Coverage {
  readonly covered: number
  readonly width: number
  /** The share of worlds without an interval. */
  readonly none: number
}

export interface JudgeCoverage {
  readonly raw: Coverage
  readonly labels: Coverage
  /** By Rogan and Gladen, as if the labels were drawn at random. */
  readonly unweighted: Coverage
  readonly corrected: Coverage
}

/** Simulates worlds and reports each by the code of reports. The last target counts; the same seed gives the same worlds. */
export function judgeCoverage(world: JudgeWorld, worlds: number, seed: number): JudgeCoverage {
  const random = seededRandom(seed)
  const tallies = { raw: new Tally(), labels: new Tally(), unweighted: new Tally(), corrected: new Tally() }
  const rate = (world.rates.at(-1) ?? 0) * (1 - (world.errors ?? 0))
  const target = `target ${world.rates.length - 1}`
  for (let count = 0; count < worlds; count++) {
    const run = answersOf(world, world.rates, random)
    const source = world.labelled === undefined ? run : answersOf(world, [world.labelled], random)
    const sample = sampleOf(source, world.labels, random)
    const calibration = calibrationOf(source, sample)
    const outcome = correctedOutcome(readerOf(run), [calibration])
    const correction = outcome.corrections?.find(each => each.target === target)
    tallies.corrected.add(correction?.kind === 'corrected' ? correction.interval : undefined, rate)
    const own = outcome.tests.filter(test => test.target === target)
    tallies.raw.add(estimatesOf(own).pass_rate?.interval, rate)
    tallies.unweighted.add(unweighted(run, calibration, target), world.rates.at(-1) ?? 0)
    tallies.labels.add(labelsAlone(run, target, world.labels), world.rates.at(-1) ?? 0)
  }
  const { raw, labels, unweighted: plain, corrected } = tallies
  return {
    raw: raw.coverage,
    labels: labels.coverage,
    unweighted: plain.coverage,
    corrected: corrected.coverage,
  }
}

class Tally {
  #covered = 0
  #width = 0
  #found = 0
  #all = 0

  add(interval: Interval | undefined, truth: number): void {
    this.#all++
    if (!interval) return
    this.#found++
    this.#covered += Number(interval.low <= truth && truth <= interval.high)
    this.#width += interval.high - interval.low
  }

  get coverage(): Coverage {
    return {
      covered: this.#covered / this.#found,
      width: this.#width / this.#found,
      none: 1 - this.#found / this.#all,
    }
  }
}

interface SimulatedAnswer {
  readonly passes: boolean
  readonly result: Result
}

const HASHES = { checks_hash: 'checks', judges_hash: 'judge' }

function answersOf(world: JudgeWorld, rates: readonly number[], random: () => number): SimulatedAnswer[] {
  const { tests, trials = 1, icc, cluster = 1 } = world
  const places = Array.from(
    { length: tests * trials },
    (_, index) => [Math.floor(index / trials), index % trials] as const,
  )
  return rates.flatMap((rate, target) => {
    let own = rate
    return places.map(([test, trial]) => {
      if (trial === 0 && test % cluster === 0) own = icc === undefined ? rate : correlatedRate(rate, icc, random)
      return answerOf(world, { target, test, trial, passes: random() < own }, random)
    })
  })
}

interface Place {
  readonly target: number
  readonly test: number
  readonly trial: number
  readonly passes: boolean
}

function answerOf(world: JudgeWorld, { target, test, trial, passes }: Place, random: () => number): SimulatedAnswer {
  const { sensitivity, specificity, errors = 0, cluster = 1 } = world
  const isPass = random() < (passes ? sensitivity : 1 - specificity)
  const fields = {
    index: test,
    attempt_id: `${target} ${test} ${trial}`,
    test_id: `t${test}`,
    target: `target ${target}`,
    trial: trial + 1,
    metadata: cluster > 1 ? { cluster: Math.floor(test / cluster) } : {},
  }
  if (random() < errors)
    return { passes: false, result: { ...RESULT, ...fields, verdict: 'error', score: null, answer: null } }
  const verdict = isPass ? 'pass' : 'fail'
  return { passes, result: { ...RESULT, ...fields, verdict, score: Number(isPass), answer: `${random()}` } }
}

const RESULT = {
  ...HASHES,
  schema_version: 1,
  run_id: 'simulated',
  suite: 'simulated',
  file: 'EVAL.yaml',
  line: 1,
  tags: [],
  input: [],
  provider: 'mock',
  timestamp: '2026-11-17T09:00:00.000Z',
  hits: [],
  misses: [],
  evaluator_results: [],
} satisfies Partial<Result>

/** Draws the rate of a cluster from a beta distribution (Jöhnk's method). */
function correlatedRate(rate: number, icc: number, random: () => number): number {
  const size = 1 / icc - 1
  for (;;) {
    const [first, second] = [random() ** (1 / (rate * size)), random() ** (1 / ((1 - rate) * size))]
    if (first + second <= 1) return first / (first + second)
  }
}

/** Half of the labels from what the judge passed, and half from what it failed. */
function sampleOf(answers: readonly SimulatedAnswer[], labels: number, random: () => number): SimulatedAnswer[] {
  const drawn = answers
    .map(answer => ({ answer, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ answer }) => answer)
  const from = (verdict: string) => drawn.filter(({ result }) => result.verdict === verdict).slice(0, labels / 2)
  return [...from('pass'), ...from('fail')]
}

function calibrationOf(answers: readonly SimulatedAnswer[], sample: readonly SimulatedAnswer[]): Calibration {
  const targets = [...new Set(answers.map(({ result }) => result.target))]
  const strata = targets.flatMap(target =>
    [true, false].map(judge_passes => {
      const isIn = ({ result }: SimulatedAnswer) =>
        result.target === target && result.verdict === (judge_passes ? 'pass' : 'fail')
      const labelled = sample.filter(isIn)
      const passes = labelled.filter(answer => answer.passes).length
      return { target, judge_passes, answers: answers.filter(isIn).length, labels: labelled.length, passes }
    }),
  )
  const labelled = sample.flatMap(({ result, passes }) => {
    const answer = labelledAnswer(result)
    return answer ? [{ ...answer, passes }] : []
  })
  return {
    ...{ assay_calibration: 1, fingerprint: 'simulated', suite: 'simulated', judges: ['judge'] },
    judges_hash: HASHES.judges_hash,
    instruments: [instrumentOf(HASHES) ?? ''],
    ...{ run_id: 'simulated', made: '2026-11-17T09:00:00.000Z', people: 1, figures: {} },
    strata,
    labelled,
  }
}

function readerOf(answers: readonly SimulatedAnswer[]): RunReader {
  const results = answers.map(({ result }) => result)
  const shared = new InternPool()
  const facts = results.map(result => factsOf(result, shared))
  return {
    info: undefined,
    planned: results.length,
    planned_tests: new Set(facts.map(testKey)).size,
    facts: () => facts,
    result: () => undefined,
    results: () => results,
  }
}

/** What Rogan and Gladen say if it is forgotten that half of the labels are of what the judge failed. */
function unweighted(run: readonly SimulatedAnswer[], { strata }: Calibration, target: string): Interval | undefined {
  const count = (judge_passes: boolean, of: (stratum: Calibration['strata'][number]) => number) =>
    strata.filter(stratum => stratum.judge_passes === judge_passes).reduce((sum, stratum) => sum + of(stratum), 0)
  const confusion = {
    true_pass: count(true, ({ passes }) => passes),
    false_pass: count(true, ({ labels, passes }) => labels - passes),
    false_fail: count(false, ({ passes }) => passes),
    true_fail: count(false, ({ labels, passes }) => labels - passes),
  }
  const verdicts = run.filter(({ result }) => result.target === target).map(({ result }) => result.verdict)
  const judged = (verdict: string) => verdicts.filter(each => each === verdict).length
  return roganGladenRate(confusion, { pass: judged('pass'), fail: judged('fail') })?.interval
}

/** What as many labels of answers drawn at random would say without the judge. */
function labelsAlone(answers: readonly SimulatedAnswer[], target: string, labels: number): Interval | undefined {
  const own = answers.filter(({ result }) => result.target === target && result.answer !== null).slice(0, labels)
  return rateOf(
    own.map(({ passes }) => Number(passes)),
    own.map(() => undefined),
  ).interval
}
