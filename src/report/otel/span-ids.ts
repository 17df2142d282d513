import { sha256 } from '../../lib/sha256.ts'
import type { Result } from '../../model/result.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { OtlpLink } from './otlp.ts'

/** Ids of the spans of one trace. */
export interface TraceIds {
  readonly traceId: string
  /** The id of the span with this name, which is unique within the trace. */
  spanId(name: string): string
}

/**
 * The ids of an attempt, which is a trace of its own. The same record always has the same ids. An attempt that is made
 * again starts at another time: it is another trace.
 */
export function attemptIds({ run_id, attempt_id, timestamp }: Result): TraceIds {
  return traceIds('attempt', run_id, attempt_id, timestamp)
}

/** The span of a run, or of one of its reruns; attempts link to it. */
export function runSpanIds({ run_id, plan_id }: Pick<RunInfo, 'run_id' | 'plan_id'>, rerun: number): OtlpLink {
  const { traceId, spanId } = traceIds('run', run_id)
  return { traceId, spanId: spanId(JSON.stringify([plan_id, rerun])) }
}

function traceIds(...parts: readonly string[]): TraceIds {
  const key = JSON.stringify(parts)
  return {
    traceId: sha256(key).slice(0, 32),
    spanId: name => sha256(JSON.stringify([key, name])).slice(0, 16),
  }
}
