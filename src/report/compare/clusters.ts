import type { Pair } from './pair-tests.ts'

/** The cluster of each pair: tests that are together on either side are together. Undefined for a test that is alone. */
export function clustersOf(pairs: readonly Pair[]): (string | undefined)[] {
  const joined = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next
    return root
  }
  const names = pairs.map(({ outcomes: [before, after] }) => [before.cluster, after.cluster] as const)
  for (const [first, second] of names) {
    if (first === undefined || second === undefined) continue
    const [one, other] = [rootOf(first), rootOf(second)]
    if (one !== other) joined.set(one, other)
  }
  return names.map(([first, second]) => {
    const name = second ?? first
    return name === undefined ? undefined : rootOf(name)
  })
}
