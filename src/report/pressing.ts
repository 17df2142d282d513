import type { Verdict } from '../model/marks.ts'

const ORDER: Readonly<Record<Verdict, number>> = { error: 0, fail: 1, borderline: 2, pass: 4 }

/** How soon somebody should look at a test: errors first, then failures, what is borderline, what is flaky, the rest. */
export function pressing({ verdict, is_flaky }: { readonly verdict: Verdict; readonly is_flaky: boolean }): number {
  return is_flaky ? Math.min(3, ORDER[verdict]) : ORDER[verdict]
}
