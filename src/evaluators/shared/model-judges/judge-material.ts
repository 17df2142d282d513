import type { Subject } from '../../../model/evaluator.ts'
import type { Host } from '../../../model/host.ts'
import { expectedText } from '../expected-text.ts'
import { answerMessages, expectedMessages, judgeMessages, questionText } from '../judge-messages.ts'

/** What a judge may be shown, as text; undefined for what is not there. */
export interface JudgeMaterial {
  readonly question: string
  readonly criteria: string | undefined
  readonly answer: string
  readonly reference_answer: string | undefined
  readonly input_messages: string
  readonly expected_messages: string | undefined
  readonly output_messages: string
  readonly note: string | undefined
}

export async function judgeMaterial({ answer, test }: Subject, host: Host): Promise<JudgeMaterial> {
  const { input, expected_output: expected, criteria, note } = test
  return {
    question: await questionText(input, host, 'inlined'),
    criteria,
    answer: answer.text,
    reference_answer: expectedText(expected),
    input_messages: json(await judgeMessages(input, host)),
    expected_messages: expected === undefined ? undefined : json(await expectedMessages(expected, host)),
    output_messages: json(answerMessages(answer)),
    note,
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
