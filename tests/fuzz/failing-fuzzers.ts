import type { Fuzzer, Input } from './fuzzer.ts'

/** The salt of an input that fails. */
export const BAD = 0

/** Fuzzers that fail in every way that the harness must report. */
export const fuzzers: readonly Fuzzer[] = [
  failingFuzzer('throws', () => {
    throw new TypeError('seeded: cannot read this')
  }),
  failingFuzzer('hangs', () => {
    for (;;);
  }),
  failingFuzzer('waits', () => new Promise(resolve => setTimeout(resolve, 1e6))),
  failingFuzzer('rejects', () => {
    Promise.reject(new Error('seeded: unhandled'))
  }),
  failingFuzzer('exits', () => process.exit(70)),
]

/** Fails on one of five inputs. */
function failingFuzzer(name: string, fail: () => unknown): Fuzzer {
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
      if (salt === BAD) await fail()
      return 'fine'
    },
  }
}
