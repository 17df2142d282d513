/** How many tests on targets attempts are of. The trials of one stand together in a plan. */
export function testCount(attempts: readonly { readonly test: object; readonly target: object }[]): number {
  let count = 0
  let last: { readonly test: object; readonly target: object } | undefined
  for (const attempt of attempts) {
    if (attempt.test !== last?.test || attempt.target !== last.target) count++
    last = attempt
  }
  return count
}
