import type { Answer, OutputMessage, ToolCall } from '../../../model/answer.ts'
import { Unjudged } from '../../../model/grade.ts'

/** The messages of an answer. One that came as text only has none: nobody knows what was called. */
export function transcriptOf({ output_messages }: Answer): readonly OutputMessage[] {
  if (output_messages) return output_messages
  throw new Unjudged('no-transcript', 'the target gave text only: without its messages nobody knows what it called')
}

/** The tool calls of an answer, in order. */
export function toolCallsOf(answer: Answer): ToolCall[] {
  return transcriptOf(answer).flatMap(({ tool_calls = [] }) => tool_calls)
}
