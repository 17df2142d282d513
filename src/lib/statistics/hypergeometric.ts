/** How many of those that are drawn are marked: the least number, and the chances of it and of each number after it. */
interface Hypergeometric {
  readonly least: number
  readonly chances: readonly number[]
}

/** The hypergeometric distribution: `drawn` of `all` are drawn, of which `marked` are marked. */
export function hypergeometric(marked: number, drawn: number, all: number): Hypergeometric {
  const [least, most] = [Math.max(0, marked + drawn - all), Math.min(marked, drawn)]
  const peak = Math.min(most, Math.max(least, Math.floor(((drawn + 1) / (all + 2)) * (marked + 1))))
  /** How much more likely one more than `count` is. */
  const step = (count: number) =>
    ((marked - count) / (count + 1)) * ((drawn - count) / (all - marked - drawn + count + 1))
  // The most likely number has the weight 1 and all others less, so that no weight is too large for a number.
  const [below, above] = [[] as number[], [1]]
  for (let count = peak; count > least; count--) below.push((below.at(-1) ?? 1) / step(count - 1))
  for (let count = peak; count < most; count++) above.push((above.at(-1) ?? 1) * step(count))
  const weights = [...below.reverse(), ...above]
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return { least, chances: weights.map(weight => weight / sum) }
}
