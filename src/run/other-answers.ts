import { Semaphore } from '../lib/semaphore.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import type { ComparedRuns } from '../model/compared-runs.ts'
import { type Comparison, comparisonsOn, isWithRun, isWithTarget } from '../model/comparison.ts'
import { Unjudged } from '../model/grade.ts'
import type { Result } from '../model/result.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { withTrial } from '../plan/reruns.ts'
import { conversationOf } from '../plan/units.ts'

interface ComparedAnswers {
  /** All attempts of the run, recorded ones included. */
  readonly attempts: readonly Attempt[]
  readonly compared_runs?: ComparedRuns | undefined
  /** The recorded result of an attempt. */
  resultOf(attemptId: string): Pick<Result, 'answer' | 'error'> | undefined
  /** Limit of concurrent requests to a target. */
  limitOf(target: Target): number
}

type AskAttempt = (attempt: Attempt) => Promise<Answer>

/** Creates the answers that the checks of a run compare with; undefined if none does. */
export function createOtherAnswers(options: ComparedAnswers): OtherAnswers | undefined {
  const compared = comparedNames(options.attempts)
  return compared ? new OtherAnswers(compared, options) : undefined
}

/** The names of the targets that a test is compared on; undefined if no check compares. */
function comparedNames(attempts: readonly Attempt[]): ReadonlyMap<Test, ReadonlySet<string>> | undefined {
  const names = new Map<Test, Set<string>>()
  let isAny = false
  for (const { test, target } of attempts) {
    for (const comparison of comparisonsOn(test.checks, target)) {
      isAny = true
      if (isWithTarget(comparison)) names.set(test, (names.get(test) ?? new Set()).add(comparison.other.target))
    }
  }
  return isAny ? names : undefined
}

/**
 * The answers that checks compare with. Each attempt is asked once, by itself or by the first check that needs its
 * answer: no attempt waits until another one starts, so that one worker is enough.
 */
export class OtherAnswers {
  readonly #options: ComparedAnswers
  /** The attempts whose answers are compared, by test and name of the target. */
  readonly #attempts = new Map<Test, Map<string, [Attempt, ...Attempt[]]>>()
  readonly #conversations = new Map<string, Attempt[]>()
  readonly #asked = new Map<string, Promise<Answer>>()
  readonly #slots = new Map<Target, Semaphore>()

  constructor(names: ReadonlyMap<Test, ReadonlySet<string>>, options: ComparedAnswers) {
    this.#options = options
    for (const attempt of options.attempts) {
      if (names.get(attempt.test)?.has(attempt.target.name)) this.#add(attempt)
    }
    for (const attempt of options.attempts) {
      const conversation = conversationOf(attempt)
      if (conversation !== undefined) this.#conversations.get(conversation)?.push(attempt)
    }
  }

  #add(attempt: Attempt): void {
    const ofTest = this.#attempts.get(attempt.test) ?? new Map<string, [Attempt, ...Attempt[]]>()
    this.#attempts.set(attempt.test, ofTest)
    const known = ofTest.get(attempt.target.name)
    if (known) known.push(attempt)
    else ofTest.set(attempt.target.name, [attempt])
    const conversation = conversationOf(attempt)
    if (conversation !== undefined) this.#conversations.set(conversation, [])
  }

  /** Asks the target of an attempt, unless a check of another attempt has asked it already. */
  answerTo(attempt: Attempt, ask: AskAttempt): Promise<Answer> {
    const isCompared = this.#attempts.get(attempt.test)?.has(attempt.target.name)
    const conversation = conversationOf(attempt)
    const isShared = isCompared || (conversation !== undefined && this.#conversations.has(conversation))
    return isShared ? this.#askOnce(attempt, ask) : ask(attempt)
  }

  /** The text that the answer of an attempt is compared with. Throws `Unjudged` without one. */
  async textOf(comparison: Comparison, attempt: Attempt, ask: AskAttempt): Promise<string> {
    if (isWithTarget(comparison)) return this.#textOfTarget(comparison.other.target, attempt, ask)
    const { compared_runs } = this.#options
    const recorded = isWithRun(comparison) && compared_runs?.textFor(comparison, attempt)
    if (recorded && 'text' in recorded) return recorded.text
    throw new Unjudged('no-other-answer', recorded ? recorded.problem : 'the run to compare with is not loaded')
  }

  /** Frees the answer of an attempt whose result is recorded. */
  settle(attemptId: string): void {
    this.#asked.delete(attemptId)
  }

  async #textOfTarget(name: string, attempt: Attempt, ask: AskAttempt): Promise<string> {
    const other = this.#attemptOf(name, attempt)
    if (!other) throw new Unjudged('no-other-answer', `the run has no attempt of ${name} at this test to compare with`)
    try {
      const asked = this.#asked.get(other.id)
      const recorded = asked ? undefined : this.#options.resultOf(other.id)
      if (recorded) return textIn(recorded)
      for (const before of this.#turnsBefore(other)) await this.#askOnce(before, ask).catch(() => {})
      return (await this.#askOnce(other, ask)).text
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      throw new Unjudged('no-other-answer', `${name} gave no answer to compare with: ${error.message}`)
    }
  }

  /** The attempt of a target at the same test in the same trial. A rerun that adds a trial compares with the first one. */
  #attemptOf(name: string, { test, trial, rerun }: Attempt): Attempt | undefined {
    const trials = this.#attempts.get(test)?.get(name)
    const same = trials?.find(each => each.trial === trial)
    if (same || !trials) return same
    return rerun === undefined ? withTrial(trials[0], trial) : trials[0]
  }

  /** The earlier turns of a conversation that have no result yet: its tests are asked in order. */
  #turnsBefore(attempt: Attempt): Attempt[] {
    const conversation = conversationOf(attempt)
    const turns = (conversation === undefined ? undefined : this.#conversations.get(conversation)) ?? []
    const isBefore = ({ trial, index }: Attempt) =>
      trial < attempt.trial || (trial === attempt.trial && index < attempt.index)
    return turns.filter(turn => isBefore(turn) && !this.#options.resultOf(turn.id))
  }

  #askOnce(attempt: Attempt, ask: AskAttempt): Promise<Answer> {
    const known = this.#asked.get(attempt.id)
    if (known) return known
    // Another attempt may ask while the target's own attempts use all of its slots.
    const answer = this.#slotsOf(attempt.target).run(() => ask(attempt))
    this.#asked.set(attempt.id, answer)
    return answer
  }

  #slotsOf(target: Target): Semaphore {
    const slots = this.#slots.get(target) ?? new Semaphore(this.#options.limitOf(target))
    this.#slots.set(target, slots)
    return slots
  }
}

/** The answer of a recorded attempt. Throws `NoAnswer` if it has none. */
function textIn({ answer, error }: Pick<Result, 'answer' | 'error'>): string {
  if (answer !== null) return answer
  throw new NoAnswer('no-recording', error?.message ?? 'the result has no answer')
}
