import { compositeKey } from '../../lib/collections.ts'
import { shortHash } from '../../lib/sha256.ts'
import { instrumentOf } from '../../model/calibration.ts'
import { type LabelledAnswer, labelledAnswer } from '../../model/label.ts'
import type { Result } from '../../model/result.ts'

/** An attempt whose answer a person can label. */
export interface Candidate extends Pick<Result, 'attempt_id' | 'suite' | 'target'> {
  readonly answer: LabelledAnswer
  /** Whether the judge passed the answer. */
  readonly is_passed: boolean
  /** Identifies the checks and judges that the verdict is of. */
  readonly instrument?: string | undefined
}

export interface SampleOptions {
  /** Number of answers. */
  readonly size: number
  readonly seed: number
}

/** The candidate of a result; undefined without an answer, a verdict or a judge. */
export function candidateOf(result: Result): Candidate | undefined {
  const { attempt_id, suite, target, verdict, judges_hash } = result
  const answer = labelledAnswer(result)
  if (!answer || judges_hash === undefined || verdict === 'error') return undefined
  return { attempt_id, suite, target, answer, is_passed: verdict === 'pass', instrument: instrumentOf(result) }
}

/**
 * Draws answers to label: half from what the judge passed and half from what it failed, as far as there are enough,
 * spread over targets and tests, and no answer to a task twice. The order is random by the seed. A larger sample with
 * the same seed contains the smaller one.
 */
export function drawSample(candidates: readonly Candidate[], { size, seed }: SampleOptions): Candidate[] {
  const entries = spreadEntries(inRandomOrder(candidates, `${seed} draw`))
  const sides = [true, false].map(side => entries.filter(({ candidate }) => candidate.is_passed === side))
  const used = new Set<string>()
  const drawn: Candidate[] = []
  for (let turn = 0; drawn.length < size; turn++) {
    const [first = [], second = []] = turn % 2 === 0 ? sides : sides.toReversed()
    const best = leastUsed(first, used) ?? leastUsed(second, used)
    if (!best) break
    for (const counter of [best.attempts, best.ofTarget, best.ofTest]) counter.uses++
    used.add(best.answer)
    drawn.push(best.candidate)
  }
  // Otherwise the position would show what the judge says.
  return inRandomOrder(drawn, `${seed} show`)
}

/** How often a test, a target, or a test on a target was drawn. */
interface Counter {
  uses: number
}

interface Entry {
  readonly candidate: Candidate
  readonly answer: string
  readonly attempts: Counter
  /** Draws of the target among what the judge passed, or among what it failed. */
  readonly ofTarget: Counter
  readonly ofTest: Counter
}

/** Candidates with the counters that they share. */
function spreadEntries(candidates: readonly Candidate[]): Entry[] {
  const counters = new Map<string, Counter>()
  const counter = (...parts: readonly string[]): Counter => {
    const key = compositeKey(...parts)
    const known = counters.get(key) ?? { uses: 0 }
    counters.set(key, known)
    return known
  }
  return candidates.map(candidate => {
    const { suite, target, answer, is_passed } = candidate
    const { test_id, task_hash, answer_sha256 } = answer
    return {
      candidate,
      answer: compositeKey(suite, test_id, task_hash, answer_sha256),
      attempts: counter('attempts', suite, test_id, target),
      ofTarget: counter('target', target, String(is_passed)),
      ofTest: counter('test', suite, test_id),
    }
  })
}

/** The first entry of those with the fewest draws so far whose answer is not yet drawn. */
function leastUsed(entries: readonly Entry[], used: ReadonlySet<string>): Entry | undefined {
  let best: Entry | undefined
  for (const entry of entries) if ((!best || isLessUsed(entry, best)) && !used.has(entry.answer)) best = entry
  return best
}

function isLessUsed(a: Entry, b: Entry): boolean {
  const difference =
    a.attempts.uses - b.attempts.uses || a.ofTarget.uses - b.ofTarget.uses || a.ofTest.uses - b.ofTest.uses
  return difference < 0
}

/** Sorts by a hash: random, and the same whatever the order of the records. */
function inRandomOrder(candidates: readonly Candidate[], salt: string): Candidate[] {
  return candidates
    .map(candidate => ({ candidate, key: shortHash(`${salt} ${candidate.attempt_id}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ candidate }) => candidate)
}
