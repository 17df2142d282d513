import { filesIn } from '../../../model/files-in.ts'
import type { Host } from '../../../model/host.ts'
import type { JudgeInput } from '../../../model/judge-input.ts'
import type { TraceSummary } from '../../../model/result.ts'
import { traceSummary } from '../../../model/trace-summary.ts'
import type { Subject } from '../../evaluator.ts'
import { expectedText } from '../expected-text.ts'
import { expectedMessages, judgeMessages, questionText } from '../judge-messages.ts'

/** What a program that judges gets. Keys at the top have the names that judges read; what is inside is not touched. */
export async function judgePayload(
  { answer, test, target, trial, workspace }: Subject,
  config: Readonly<Record<string, unknown>>,
  host: Host,
): Promise<JudgeInput> {
  const { text, output_messages, token_usage, cost_usd, duration_ms } = answer
  const reference_answer = expectedText(test.expected_output)
  const input_messages = await judgeMessages(test.input, host)
  const expected_messages = await expectedMessages(test.expected_output, host)
  const input_files = filesIn(test.input)
  const trace_summary = output_messages && traceSummary(output_messages)
  return {
    test_id: test.id,
    question: await questionText(test.input, host, 'apart'),
    criteria: test.criteria,
    answer: text,
    reference_answer,
    input_messages,
    expected_messages,
    output_messages,
    input_files,
    note: test.note,
    metadata: test.metadata,
    target,
    trial,
    workspace_path: workspace,
    trace_summary,
    token_usage,
    cost_usd,
    duration_ms,
    config,
    candidateAnswer: text,
    candidate_answer: text,
    referenceAnswer: reference_answer,
    expectedMessages: expected_messages,
    outputMessages: output_messages,
    inputMessages: input_messages,
    inputFiles: input_files,
    traceSummary: trace_summary && camelCased(trace_summary),
    expected_output: expected_messages,
    input: input_messages,
    output: output_messages,
  }
}

function camelCased(summary: TraceSummary): NonNullable<JudgeInput['traceSummary']> {
  return {
    eventCount: summary.event_count,
    toolNames: summary.tool_names,
    toolCallsByName: summary.tool_calls_by_name,
    errorCount: summary.error_count,
    llmCallCount: summary.llm_call_count,
  }
}
