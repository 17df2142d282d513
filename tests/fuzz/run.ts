import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Fuzzer } from './fuzzer.ts'
import { buildChild } from './harness/build-child.ts'
import { type FuzzResult, fuzz } from './harness/fuzz.ts'
import { ROOT } from './root.ts'

// The bundle must be inside the project to resolve packages; concurrent runs have separate bundles.
const program = await buildChild(join(ROOT, 'tests/fuzz/fuzzers.ts'), join(ROOT, '.fuzz', `child-${process.pid}`))
const { fuzzers }: { fuzzers: readonly Fuzzer[] } = await import(program)

const HELP = `npm run fuzz -- [options]

Runs every part of the program that reads files or replies on mutated input, and reports failures.

  --seed N      the seed of the inputs (default 1)
  --runs N      inputs for each fuzzer; slow ones run fewer (default 2000)
  --from N      the number of the first input (default 0)
  --only NAME   only this fuzzer (repeatable)
  --hang S      time limit of an input in seconds (default 20)
  --folder F    the folder for findings (default .fuzz)

${fuzzers.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`).join('\n')}

Exit codes: 0 no findings, 1 findings, 2 invalid options.
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2000' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true, default: [] },
    hang: { type: 'string', default: '20' },
    folder: { type: 'string', default: join(ROOT, '.fuzz') },
    help: { type: 'boolean', default: false },
  },
})

process.exitCode = values.help ? help() : await main()

function help(): number {
  process.stdout.write(HELP)
  return 0
}

async function main(): Promise<number> {
  const [seed, runs, from, hang] = [values.seed, values.runs, values.from, values.hang].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const unknown = values.only.find(name => !fuzzers.some(each => each.name === name))
  if (unknown !== undefined || ![seed, runs, from, hang].every(each => each >= 0)) {
    process.stderr.write(unknown === undefined ? 'Numbers must not be negative.\n' : `Unknown fuzzer ${unknown}.\n`)
    return 2
  }
  const chosen = fuzzers.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  const all: FuzzResult[] = []
  for (const fuzzer of chosen) {
    const slowness = values.from === '0' ? fuzzer.slowness : 1
    const work = join(tmpdir(), `assay-fuzz-${process.pid}`)
    const fuzzed = await fuzz(
      { ...fuzzer, slowness },
      { program, seed, runs, from, hang_ms: hang * 1000, folder: values.folder, work },
    )
    process.stdout.write(lineOf(fuzzed))
    all.push(fuzzed)
  }
  const findings = all.reduce((sum, each) => sum + each.findings.length, 0)
  const inputs = all.reduce((sum, each) => sum + each.inputs, 0)
  process.stdout.write(`${inputs} inputs, ${findings} findings\n`)
  return findings > 0 ? 1 : 0
}

function lineOf({ name, inputs, outcomes, findings }: FuzzResult): string {
  const most = [...outcomes].sort(([, a], [, b]) => b - a).slice(0, 6)
  const counted = most.map(([outcome, times]) => `${outcome} ${times}`).join(', ')
  const head = `${name.padEnd(14)}${inputs} inputs, ${outcomes.size} outcomes (${counted}), ${findings.length} findings\n`
  const found = findings.map(
    ({ first, saved, times }) =>
      `  ${times} × ${first.problem.kind}: ${first.problem.message.split('\n').slice(0, 4).join('\n      ')}\n    ${saved}\n`,
  )
  return head + found.join('')
}
