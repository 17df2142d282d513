import type { Answer, OutputMessage } from '../../../model/answer.ts'
import { Unjudged } from '../../../model/grade.ts'
import { type AttributedCall, callsIn } from '../../../model/messages/subagents.ts'

/** The messages of an answer. Throws `Unjudged` without a transcript, because tool calls are unknown. */
export function transcriptOf({ output_messages }: Answer): readonly OutputMessage[] {
  if (output_messages) return output_messages
  throw new Unjudged('no-transcript', 'the target gave no transcript, so its tool calls are unknown')
}

/** The tool calls of an answer in order, also those of subagents, which are marked. */
export function toolCallsOf(answer: Answer): AttributedCall[] {
  return callsIn(transcriptOf(answer))
}
