import type { Fuzzer, Input } from './fuzzer.ts'

/** The salt of a bad input. */
export const BAD = 0

/** Fuzzers that go wrong on one input each: what a harness must notice. */
export const fuzzers: readonly Fuzzer[] = [
  goesWrong('throws', () => {
    throw new TypeError('seeded: cannot read this')
  }),
  goesWrong('hangs', () => {
    for (;;);
  }),
  goesWrong('waits', () => new Promise(resolve => setTimeout(resolve, 1e6))),
  goesWrong('rejects', () => {
    Promise.reject(new Error('seeded: nobody waits for this'))
  }),
  goesWrong('exits', () => process.exit(70)),
]

/** One of five inputs is bad. */
function goesWrong(name: string, how: () => unknown): Fuzzer {
  return {
    name,
    summary: '',
    deep: { outcome: 'fine', share: 0 },
    make: (random): Input => ({
      from: 'nothing',
      files: { text: new TextEncoder().encode(name) },
      salt: random.below(5),
    }),
    run: async ({ salt }) => {
      if (salt === BAD) await how()
      return 'fine'
    },
  }
}
