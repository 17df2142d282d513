import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { folderWith } from '../support/program.ts'
import { BAD, fuzzers } from './failing-fuzzers.ts'
import { buildChild } from './harness/build-child.ts'
import { fuzz } from './harness/fuzz.ts'
import { inputOf } from './harness/try-input.ts'

const folder = folderWith()
let program = ''

beforeAll(async () => {
  program = await buildChild(join(import.meta.dirname, 'failing-fuzzers.ts'), join(folder, 'child'))
})

/** A seed for which only the fourth input fails. */
async function seedOf(name: string): Promise<number> {
  const fuzzer = fuzzers.find(each => each.name === name)
  if (!fuzzer) throw new Error(`unknown fuzzer ${name}`)
  for (let seed = 1; ; seed++) {
    const inputs = await Promise.all([0, 1, 2, 3, 4, 5].map(index => inputOf(fuzzer, seed, index)))
    if (inputs.every(({ salt }, index) => (salt === BAD) === (index === 3))) return seed
  }
}

// A hang is confirmed by a second run.
const HANG_MS = 1000

it.each([
  ['throws', 'throw', 'TypeError: seeded: cannot read this'],
  ['hangs', 'hang', 'took longer than 1 s'],
  ['waits', 'hang', 'took longer than 1 s'],
  ['rejects', 'rejection', 'Error: seeded: unhandled'],
  ['exits', 'crash', 'the child ended with 70'],
])('reports a fuzzer that %s with its input, and runs the other inputs', async (name, kind, words) => {
  const seed = await seedOf(name)
  const fuzzed = await fuzz({ name }, { program, seed, runs: 6, hang_ms: HANG_MS, folder, work: join(folder, 'work') })
  expect(fuzzed.inputs).toBe(6)
  expect(fuzzed.findings).toHaveLength(1)
  const [{ first, saved, times }] = fuzzed.findings as [(typeof fuzzed.findings)[number]]
  expect([first.index, first.problem.kind, times]).toEqual([3, kind, 1])
  expect(first.problem.message).toContain(words)
  expect(readFileSync(join(saved, 'files/text'), 'utf8')).toBe(name)
  const report = readFileSync(join(saved, 'finding.txt'), 'utf8')
  expect(report).toContain(`${kind}: ${words}`)
  expect(report).toContain(`again: npm run fuzz -- --only ${name} --seed ${seed} --from 3 --runs 1`)
})
