import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Fuzzer } from '../fuzzer.ts'
import type { Order } from './child.ts'
import { causeOf } from './try-input.ts'
import { type Finding, watchChild } from './watch-child.ts'

export interface FuzzOptions {
  /** The bundle of the fuzzers. */
  readonly program: string
  readonly seed: number
  readonly from?: number
  readonly runs: number
  /** The time limit of an input. */
  readonly hang_ms: number
  /** The folder for findings. */
  readonly folder: string
  /** The folder for children. */
  readonly work: string
}

export interface FuzzResult {
  readonly name: string
  readonly inputs: number
  readonly outcomes: ReadonlyMap<string, number>
  /** The first finding of each cause, its folder and its count. */
  readonly findings: readonly { readonly first: Finding; readonly saved: string; readonly times: number }[]
}

interface Named extends Pick<Fuzzer, 'name'> {
  readonly slowness?: number | undefined
}

/** The number of children that may hang or crash before the fuzzer is stopped. */
const MOST_CHILDREN = 20

/** Runs the inputs of one fuzzer in child processes, and saves its findings. */
export async function fuzz({ name, slowness = 1 }: Named, options: FuzzOptions): Promise<FuzzResult> {
  const { program, seed, hang_ms, work, from = 0 } = options
  const end = from + Math.max(1, Math.round(options.runs / slowness))
  const outcomes = new Map<string, number>()
  const findings = new Map<string, { first: Finding; saved: string; times: number }>()
  const listener = {
    outcomes: (more: Readonly<Record<string, number>>) => {
      for (const [outcome, times] of Object.entries(more)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + times)
    },
    finding: (finding: Finding) => {
      const known = findings.get(causeOf(finding.problem))
      if (known) known.times++
      else findings.set(causeOf(finding.problem), { first: finding, saved: save(finding, name, options), times: 1 })
    },
  }
  let next: number | undefined = from
  for (let left = MOST_CHILDREN; next !== undefined && next < end && left > 0; left--) {
    const order: Order = { name, seed, from: next, runs: end - next, folder: join(work, name) }
    mkdirSync(order.folder, { recursive: true })
    const { next: rest, late } = await watchChild(program, order, hang_ms, listener)
    // On a busy machine an input can be slow: it hangs only if it hangs again, alone.
    if (late)
      await watchChild(program, { ...order, from: late.index, runs: 1 }, hang_ms, {
        ...listener,
        late: listener.finding,
      })
    next = rest
  }
  return { name, inputs: (next ?? end) - from, outcomes, findings: [...findings.values()] }
}

/** Saves the input as files, with its problem and the command to reproduce it. */
function save({ index, problem, input }: Finding, name: string, { seed, folder }: FuzzOptions): string {
  const saved = join(folder, 'findings', `${name}-${seed}-${index}`)
  for (const [path, text] of Object.entries(input.files)) {
    const file = join(saved, 'files', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(text, 'base64'))
  }
  mkdirSync(saved, { recursive: true })
  const again = `npm run fuzz -- --only ${name} --seed ${seed} --from ${index} --runs 1`
  const { kind, message } = problem
  writeFileSync(join(saved, 'finding.txt'), `${kind}: ${message}\n\nmade from ${input.from}\nagain: ${again}\n`)
  return saved
}
