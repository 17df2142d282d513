import type { Attempt } from '../model/attempt.ts'
import type { Check } from '../model/check.ts'
import { nestedChecks } from '../model/check.ts'
import type { Prompt } from '../model/prompt.ts'
import { isAnswered } from '../model/recordings.ts'
import type { Recorded, RecordedAnswers } from './recorded-answers.ts'

/** The recorded attempts that those of today take over, known once there is a plan. */
export class AnswersInUse {
  readonly #recordings = new Map<string, Recorded>()
  readonly #looking = new Set<string>()

  /** The attempts that have a record: each takes over its own. */
  takenBy(attempts: readonly Attempt[], known: RecordedAnswers): Attempt[] {
    return attempts.flatMap(attempt => {
      const recording = known.to(attempt)
      if (!recording) return []
      this.#recordings.set(attempt.id, recording)
      if (attempt.test.checks.some(looksAround)) this.#looking.add(attempt.id)
      return [{ ...attempt, rerun: recording.rerun }]
    })
  }

  recordFor({ attempt_id }: Prompt): Recorded | undefined {
    return this.#recordings.get(attempt_id)
  }

  /** Whether an attempt takes over an answer. */
  get hasAnswers(): boolean {
    return [...this.#recordings.values()].some(isAnswered)
  }

  /** Whether a check looks into the folder in which it was answered. */
  looksAround({ attempt_id }: Prompt): boolean {
    return this.#looking.has(attempt_id)
  }

  /** Those of all records that no attempt takes over. */
  leftOf(recorded: readonly Recorded[]): Recorded[] {
    const used = new Set(this.#recordings.values())
    return recorded.filter(each => !used.has(each))
  }
}

function looksAround(check: Check): boolean {
  return check.evaluator.judge?.(check.config).looks === true || nestedChecks(check).some(looksAround)
}
