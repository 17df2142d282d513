import type { AnswerRecord } from '../model/answer-record.ts'
import type { Result } from '../model/result.ts'

/** Which answers of a run need no judgement any more, by the newest result of each attempt. */
export class SettledAnswers {
  readonly #results = new Map<string, Pick<Result, 'answer_number' | 'timestamp'> & { readonly is_answered: boolean }>()

  /** Takes in a result; of those of one attempt, the newest comes last. */
  addResult({ attempt_id, answer, answer_number, timestamp }: Result): void {
    this.#results.set(attempt_id, { answer_number, timestamp, is_answered: answer !== null })
  }

  /** Whether an answer was judged, or its attempt was made again and has a newer result. */
  has({ attempt_id, timestamp, answer: { answer_number } }: AnswerRecord): boolean {
    const result = this.#results.get(attempt_id)
    if (!result) return false
    if (!result.is_answered) return result.timestamp >= timestamp
    // Records of earlier versions name no answer.
    return answer_number === undefined || (result.answer_number ?? answer_number) >= answer_number
  }
}
