import type { ToolCall } from '../../model/answer.ts'
import type { Probe, ProbeSet } from '../../model/probe.ts'
import { type CheckSubject, isOther } from './subject.ts'

/** Answers in which a check finds these texts. What else than the answer is looked at may write them in another way. */
export function textProbes(texts: readonly string[], subject: CheckSubject, isComplete = true): ProbeSet {
  if (!isOther(subject)) return { probes: texts.map(text => ({ text })), is_complete: isComplete }
  return {
    probes: texts.map(text => ({ text, calls: [{ tool: text || 'none', input: { text }, output: text }] })),
    is_complete: false,
  }
}

/** A call to a tool that no check names. */
export const OTHER_CALL: ToolCall = { tool: 'assay_probe', input: {} }

/** More calls are not made. */
export const MOST_CALLS = 1000

/** Answers with the same call several times. */
export function repeatedProbes(call: ToolCall, counts: readonly number[]): Probe[] {
  return counts
    .filter(times => times <= MOST_CALLS)
    .map(times => ({ calls: Array.from({ length: times }, () => call) }))
}
