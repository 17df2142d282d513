import type { Verdict } from '../model/marks.ts'
import type { Result } from '../model/result.ts'

/** Why an attempt did not pass: what went wrong, else what its checks missed. */
export function reasonsOf({ error, misses }: Result): string[] {
  return error ? [`${error.code}: ${error.message}`] : misses
}

/** Why a test has its verdict, in one line: an attempt that has the same says it best. */
export function mainReason(verdict: Verdict, results: readonly Result[]): string | undefined {
  const alike = results.filter(result => result.verdict === verdict)
  return [...alike, ...results].flatMap(reasonsOf)[0]
}
