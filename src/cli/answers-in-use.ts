import { nestedChecks } from '../evaluators/check.ts'
import type { Check } from '../evaluators/evaluator.ts'
import type { Answer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recording } from '../model/recordings.ts'
import type { Attempt } from '../plan/attempt.ts'
import type { RecordedAnswers } from './recorded-answers.ts'

/** The recorded answers that attempts of today have, known once there is a plan. */
export class AnswersInUse {
  readonly #recordings = new Map<string, Recording>()
  readonly #looking = new Set<string>()

  /** The attempts to which there is an answer: these are given theirs. */
  takenBy(attempts: readonly Attempt[], known: RecordedAnswers): Attempt[] {
    return attempts.filter(attempt => {
      const recording = known.to(attempt)
      if (!recording) return false
      this.#recordings.set(attempt.id, recording)
      if (attempt.test.checks.some(looksAround)) this.#looking.add(attempt.id)
      return true
    })
  }

  answerTo({ attempt_id }: Prompt): Answer | undefined {
    return this.#recordings.get(attempt_id)?.answer
  }

  /** Whether somebody looks into the folder in which it was answered. */
  looksAround({ attempt_id }: Prompt): boolean {
    return this.#looking.has(attempt_id)
  }

  /** Those of all answers that no attempt has. */
  leftOf(answers: readonly Recording[]): Recording[] {
    const used = new Set(this.#recordings.values())
    return answers.filter(answer => !used.has(answer))
  }
}

function looksAround(check: Check): boolean {
  return check.evaluator.judge?.(check.config).looks === true || nestedChecks(check).some(looksAround)
}
