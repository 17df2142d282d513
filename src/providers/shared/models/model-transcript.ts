import type { StepResult, ToolSet } from 'ai'
import { defined } from '../../../lib/defined.ts'
import type { OutputMessage, ToolCall } from '../../../model/answer.ts'

type Step = Pick<StepResult<ToolSet>, 'text' | 'content'>

/** What a model has said and called, a message for each of its replies. */
export function modelTranscript(steps: readonly Step[]): OutputMessage[] {
  return steps.map(({ text, content }) => {
    const tool_calls = content.flatMap(part => (part.type === 'tool-call' ? toolCall(part, content) : []))
    return {
      role: 'assistant',
      ...(text === '' ? {} : { content: text }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    }
  })
}

type Part = Step['content'][number]

function toolCall({ toolCallId, toolName, input }: Part & { type: 'tool-call' }, content: Step['content']): ToolCall {
  const result = content.find(part => part.type === 'tool-result' && part.toolCallId === toolCallId)
  const failure = content.find(part => part.type === 'tool-error' && part.toolCallId === toolCallId)
  return { tool: toolName, ...defined({ input, output: outputOf(result), error: errorOf(failure) }) }
}

function outputOf(part: Part | undefined): unknown {
  return part?.type === 'tool-result' ? part.output : undefined
}

/** Why a call could not be made, in words of the SDK. A tool of ours tells what it cannot do, and throws nothing but bugs. */
function errorOf(part: Part | undefined): string | undefined {
  if (part?.type !== 'tool-error') return undefined
  if (typeof part.error === 'string') return part.error
  throw part.error
}
