import { parseJson } from '../../lib/json/parse-json.ts'
import type { Answer, OutputMessage } from '../../model/answer.ts'
import type { Check } from '../../model/check.ts'
import { nestedChecks } from '../../model/check.ts'
import type { Location, Origin } from '../../model/location.ts'
import { expectedText, looksLikeMessages, type Message, messageText } from '../../model/message.ts'
import type { Test } from '../../model/test.ts'
import type { GoldenAnswer } from '../../record/golden-answers.ts'

/** An answer that must pass its test. */
export interface Reference {
  readonly answer: Answer
  readonly at: Origin | Location
  /** Its name in messages. */
  readonly name: string
}

/** The golden answers of a test, else its expected output, unless that only describes answers. */
export function referencesOf(test: Test, golden: readonly GoldenAnswer[] = []): readonly Reference[] {
  if (golden.length > 0)
    return golden.map(({ file, text }) => {
      return { answer: { text }, at: { file, line: 1, column: 1, length: 1 }, name: 'its golden answer' }
    })
  const { expected_output: expected } = test
  const text = expectedText(expected)
  if (text === undefined || leavesOf(test.checks).some(describesAnswers)) return []
  const at = test.at.child('expected_output')
  return [{ answer: { text, ...transcriptOf(expected) }, at, name: 'its `expected_output`' }]
}

/** The checks that contain no others. */
export function leavesOf(checks: readonly Check[]): readonly Check[] {
  return checks.flatMap(check => {
    const inside = nestedChecks(check)
    return inside.length === 0 ? [check] : leavesOf(inside)
  })
}

function describesAnswers({ evaluator, config }: Check): boolean {
  return evaluator.probing?.describesAnswers?.(config) ?? false
}

/** The transcript of expected messages with tool calls. Without calls, they are unknown. */
function transcriptOf(expected: unknown): Pick<Answer, 'output_messages'> {
  if (!looksLikeMessages(expected)) return {}
  const messages = expected.filter(({ role }) => role === 'assistant')
  const hasCalls = messages.some(message => message.role === 'assistant' && message.tool_calls)
  return hasCalls ? { output_messages: messages.map(outputMessage) } : {}
}

function outputMessage(message: Message): OutputMessage {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  return {
    role: message.role,
    content: messageText(message),
    tool_calls: calls.map(({ function: { name, arguments: written } }) => ({ tool: name, input: parseJson(written) })),
  }
}
