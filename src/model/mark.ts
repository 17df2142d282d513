import type { Execution } from './execution.ts'
import type { Result } from './result.ts'

/** The keys of `execution` that mark a test. An `execution` has at most one of them. */
export const MARK_KEYS = ['skip', 'expected_failure', 'quarantine'] as const

/** A mark of a test that runs: what its verdict means for the gate. */
export type Mark =
  | { readonly kind: 'expected_failure'; readonly reason: string }
  | { readonly kind: 'quarantine'; readonly reason: string; readonly until: string }

/** Anything with settings of `execution`: a suite or a test. */
interface Marked {
  readonly execution: Execution
}

/** The mark of a test that runs. Its own mark, of any kind, replaces that of the suite. */
export function markOf(suite: Marked, test: Marked): Mark | undefined {
  return recordedMark(markedExecution(suite, test))
}

/** Why a test is not run; undefined for a test that runs. */
export function skipReason(suite: Marked, test: Marked): string | undefined {
  return markedExecution(suite, test).skip
}

/** The `execution` that has the mark of a test. */
function markedExecution(suite: Marked, test: Marked): Execution {
  return MARK_KEYS.some(key => test.execution[key] !== undefined) ? test.execution : suite.execution
}

/** The fields of a record that hold a mark. */
export type RecordedMark = Pick<Result, 'expected_failure' | 'quarantine'>

/** The mark in a record, or in `execution`. */
export function recordedMark({ expected_failure, quarantine }: RecordedMark): Mark | undefined {
  if (quarantine) return { kind: 'quarantine', reason: quarantine.reason, until: quarantine.until }
  return expected_failure === undefined ? undefined : { kind: 'expected_failure', reason: expected_failure }
}

/** The fields of a record for a mark. Both are set, so that they replace those of another mark. */
export function markRecord(mark: Mark | undefined): RecordedMark {
  return {
    expected_failure: mark?.kind === 'expected_failure' ? mark.reason : undefined,
    quarantine: mark?.kind === 'quarantine' ? { reason: mark.reason, until: mark.until } : undefined,
  }
}

/** Whether a test is in quarantine: it counts in no figure and fails no gate. */
export function isQuarantined({ mark }: { readonly mark?: Mark | undefined }): boolean {
  return mark?.kind === 'quarantine'
}

/** `expected failure: wrong currency`, `quarantined until 2026-12-31: flaky upstream`. */
export function markText(mark: Mark): string {
  return mark.kind === 'quarantine'
    ? `quarantined until ${mark.until}: ${mark.reason}`
    : `expected failure: ${mark.reason}`
}
