import { wellFormed } from '../../lib/text/unicode.ts'
import type { Result } from '../../model/result.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { callSpans, countCallSpans } from './call-spans.ts'
import { checkEvents } from './check-events.ts'
import { inputMessages, outputMessages } from './message-parts.ts'
import { attributesOf, count, errorStatus, KIND, nanoseconds, type OtlpSpan } from './otlp.ts'
import { attemptIds, runSpanIds, type TraceIds } from './span-ids.ts'

export interface SpanOptions {
  /** The run whose span the attempts link to; undefined if there is only a file of results. */
  readonly run: Pick<RunInfo, 'run_id' | 'plan_id' | 'source'> | undefined
  /** Whether prompts, answers and texts that may quote them are included. */
  readonly content: boolean
}

/** The times of an attempt, in milliseconds since 1970. */
interface Times {
  readonly start: number
  readonly answered: number
  readonly graded: number
}

/** The spans of an attempt: the attempt, its answer, and the calls of the answer. */
export function attemptSpans(result: Result, options: SpanOptions): readonly OtlpSpan[] {
  const ids = attemptIds(result)
  const times = timesOf(result)
  const answerId = ids.spanId('answer')
  const calls = { ids, answerId, start: times.start, end: times.answered, content: options.content }
  return [
    attemptSpan(result, ids, times, options),
    answerSpan(result, ids, times, options),
    ...callSpans(result.output_messages ?? [], calls),
  ]
}

/** How many spans an attempt has. */
export function countSpans({ output_messages = [] }: Result): number {
  return 2 + countCallSpans(output_messages)
}

/** Checks are graded at once: grading takes as long as the longest. */
export function timesOf({ timestamp, duration_ms, elapsed_ms, evaluator_results: checks }: Result): Times {
  // biome-ignore lint/style/noRestrictedGlobals: this reads a date that is given, not the clock
  const start = Date.parse(timestamp) || 0
  const answered = start + (duration_ms ?? elapsed_ms ?? 0)
  return {
    start,
    answered,
    graded: answered + checks.reduce((longest, check) => Math.max(longest, check.duration_ms), 0),
  }
}

function attemptSpan(result: Result, ids: TraceIds, { start, graded }: Times, { run, content }: SpanOptions): OtlpSpan {
  const { error, verdict, rerun } = result
  return {
    traceId: ids.traceId,
    spanId: ids.spanId('attempt'),
    name: wellFormed(`test ${result.test_id}`),
    kind: KIND.internal,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(graded),
    attributes: attributesOf({
      'test.suite.name': result.suite,
      'test.case.name': result.test_id,
      'test.case.result.status': verdict === 'pass' || verdict === 'fail' ? verdict : undefined,
      'code.file.path': result.file,
      'code.line.number': count(result.line),
      'error.type': error?.code,
      'assay.run.id': result.run_id,
      'assay.attempt.id': result.attempt_id,
      'assay.target': result.target,
      'assay.trial': count(result.trial),
      'assay.rerun': count(rerun),
      'assay.verdict': verdict,
      'assay.score': result.score ?? undefined,
      'assay.tags': result.tags,
      'assay.control': result.control,
      'assay.expected_failure': result.expected_failure === undefined ? undefined : true,
      'assay.quarantine': result.quarantine === undefined ? undefined : true,
      // Only in reports.
      'assay.partial': result.partial,
      'assay.judge.cost_usd': result.judge_usage?.cost_usd,
    }),
    ...(run ? { links: [runSpanIds(run, rerun ?? 0)] } : {}),
    ...statusOf(error, content),
  }
}

function answerSpan(result: Result, ids: TraceIds, times: Times, { run, content }: SpanOptions): OtlpSpan {
  const { target, provider, model, finish_reason, answer, cached } = result
  // An answer from the cache or an earlier run has used nothing: sums over spans would count it twice.
  const { token_usage: usage = {}, cost_usd } = cached || run?.source !== undefined ? {} : result
  const error = answer === null ? result.error : undefined
  return {
    traceId: ids.traceId,
    spanId: ids.spanId('answer'),
    parentSpanId: ids.spanId('attempt'),
    name: wellFormed(`invoke_agent ${target}`),
    kind: KIND.client,
    startTimeUnixNano: nanoseconds(times.start),
    endTimeUnixNano: nanoseconds(times.answered),
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': PROVIDER_NAMES.get(provider) ?? provider,
      'gen_ai.agent.name': target,
      'gen_ai.conversation.id': result.conversation_id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': finish_reason === undefined ? undefined : [finish_reason],
      'gen_ai.usage.input_tokens': count(usage.input),
      'gen_ai.usage.output_tokens': count(usage.output),
      'gen_ai.usage.cache_read.input_tokens': count(usage.cached),
      'gen_ai.usage.reasoning.output_tokens': count(usage.reasoning),
      'gen_ai.input.messages': content ? inputMessages(result.input) : undefined,
      'gen_ai.output.messages': content && answer !== null ? outputMessages(result) : undefined,
      'error.type': error?.code,
      'assay.cost_usd': cost_usd,
      'assay.cached': cached,
      'assay.source_run.id': run?.source,
      'assay.failed_calls': count(result.failed_calls),
      'assay.unknown_duration': (result.duration_ms ?? result.elapsed_ms) === undefined ? true : undefined,
      'assay.has_transcript': result.output_messages !== undefined,
    }),
    events: checkEvents(result.evaluator_results, { since: times.answered, content }),
    ...statusOf(error, content),
  }
}

/** Names of the conventions for services that have another name here. */
const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
])

/** Messages of errors may quote answers. */
function statusOf(error: Result['error'], content: boolean): Pick<OtlpSpan, 'status'> {
  if (!error) return {}
  return { status: errorStatus(content ? error.message : undefined) }
}
