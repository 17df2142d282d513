import { expect, it } from 'vitest'
import { fuzzers } from './fuzzers.ts'
import { inputOf, tryInput } from './harness/try-input.ts'

const SEED = 2026
const RUNS = 160

it.each(fuzzers.map(fuzzer => [fuzzer.name, fuzzer] as const))(
  '%s has no findings, and enough inputs reach the last stage',
  async (name, fuzzer) => {
    const runs = Math.ceil(RUNS / (fuzzer.slowness ?? 1))
    const outcomes: string[] = []
    for (let index = 0; index < runs; index++) {
      const tried = await tryInput(fuzzer, await inputOf(fuzzer, SEED, index))
      expect(tried, `npm run fuzz -- --only ${name} --seed ${SEED} --from ${index} --runs 1`).not.toHaveProperty(
        'problem',
      )
      if ('outcome' in tried) outcomes.push(tried.outcome)
    }
    const deep = outcomes.filter(outcome => outcome === fuzzer.deep.outcome).length
    expect(deep / runs).toBeGreaterThanOrEqual(fuzzer.deep.share)
    expect(new Set(outcomes).size).toBeGreaterThan(1)
  },
)

it('the same seed gives the same inputs, and another seed different ones', async () => {
  for (const fuzzer of fuzzers) {
    const [one, same, other] = await Promise.all([SEED, SEED, SEED + 1].map(seed => inputOf(fuzzer, seed, 1)))
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
  }
})
