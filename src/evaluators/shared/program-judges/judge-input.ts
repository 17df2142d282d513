import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import type { Answer, TokenUsage } from '../../../model/answer.ts'
import type { Subject } from '../../../model/evaluator.ts'
import type { Host } from '../../../model/host.ts'
import type { JudgeInput } from '../../../model/judge-protocol.ts'
import { expectedText, filePathsIn } from '../../../model/message.ts'
import { traceSummary } from '../../../model/trace-summary.ts'
import { answerMessages, expectedMessages, judgeMessages, questionText } from '../judge-messages.ts'

/**
 * The input of a judge program: every key in snake_case, then in camelCase. Judges that convert all keys to one
 * spelling use the later one. Keys inside the data are unchanged.
 */
export async function judgeInput(
  { answer, test, target, trial, workspace }: Subject,
  config: Readonly<Record<string, unknown>>,
  host: Host,
): Promise<JudgeInput> {
  const { text, output_messages: transcript, token_usage = null, cost_usd = null, duration_ms = null } = answer
  const input = readableContents(await judgeMessages(test.input, host))
  const expected_output = readableContents(await expectedMessages(test.expected_output, host))
  const output = readableContents(answerMessages(answer))
  const summary = summaryOf(answer)
  return withCamelCase({
    test_id: test.id,
    question: await questionText(test.input, host, 'apart'),
    criteria: test.criteria ?? '',
    answer: text,
    candidate_answer: text,
    reference_answer: expectedText(test.expected_output) ?? '',
    input_messages: input,
    input,
    expected_messages: expected_output,
    expected_output,
    output_messages: output,
    output,
    has_transcript: transcript !== undefined,
    guideline_files: [],
    input_files: filePathsIn(test.input),
    note: test.note ?? '',
    metadata: test.metadata,
    target,
    trial,
    workspace_path: workspace ?? null,
    trace: summary,
    trace_summary: summary,
    token_usage,
    cost_usd,
    duration_ms,
    config,
  })
}

/** The keys without capitals. */
type SnakeCased = Pick<JudgeInput, Extract<keyof JudgeInput, Lowercase<string>>>

function withCamelCase(input: SnakeCased): JudgeInput {
  return {
    ...input,
    testId: input.test_id,
    candidateAnswer: input.candidate_answer,
    referenceAnswer: input.reference_answer,
    inputMessages: input.input_messages,
    expectedMessages: input.expected_messages,
    expectedOutput: input.expected_output,
    outputMessages: input.output_messages,
    hasTranscript: input.has_transcript,
    guidelineFiles: input.guideline_files,
    inputFiles: input.input_files,
    workspacePath: input.workspace_path,
    traceSummary: camelCased(input.trace_summary),
    tokenUsage: completeUsage(input.token_usage),
    costUsd: input.cost_usd,
    durationMs: input.duration_ms,
  }
}

function summaryOf(answer: Answer): JudgeInput['trace_summary'] {
  const { cost_usd = null, duration_ms = null, output_messages = answerMessages(answer) } = answer
  return { ...traceSummary(output_messages), cost_usd, duration_ms }
}

function camelCased(summary: JudgeInput['trace_summary']): JudgeInput['traceSummary'] {
  return {
    eventCount: summary.event_count,
    toolNames: summary.tool_names,
    toolCallsByName: summary.tool_calls_by_name,
    errorCount: summary.error_count,
    llmCallCount: summary.llm_call_count,
    ...withoutNullish({
      subagentEventCount: summary.subagent_event_count,
      subagentLlmCallCount: summary.subagent_llm_call_count,
    }),
    costUsd: summary.cost_usd,
    durationMs: summary.duration_ms,
  }
}

/** The usage if input and output are known: published judges reject an incomplete one. */
function completeUsage(usage: TokenUsage | null): JudgeInput['tokenUsage'] {
  if (usage?.input === undefined || usage.output === undefined) return null
  return { ...usage, input: usage.input, output: usage.output }
}

/** Converts contents other than a string, a mapping or a list of mappings to JSON: published judges reject them. */
function readableContents<M extends { content?: unknown }>(messages: readonly M[]): M[] {
  return messages.map(message => {
    const { content } = message
    const isReadable = content === undefined || typeof content === 'string' || isMapping(content) || isMappings(content)
    return isReadable ? message : { ...message, content: JSON.stringify(content) }
  })
}

function isMappings(content: unknown): boolean {
  return Array.isArray(content) && content.every(isMapping)
}
