import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Fuzzer } from '../fuzzer.ts'
import type { Order } from './child.ts'
import { causeOf } from './try-input.ts'
import { type Finding, watchChild } from './watch-child.ts'

export interface FuzzOptions {
  /** The bundle that runs inputs. */
  readonly program: string
  readonly seed: number
  readonly from?: number
  readonly runs: number
  /** How long one input may take. */
  readonly hang_ms: number
  /** Where findings are kept. */
  readonly folder: string
  /** Where children work. */
  readonly work: string
}

export interface Fuzzed {
  readonly name: string
  readonly inputs: number
  readonly outcomes: ReadonlyMap<string, number>
  /** The first finding of each cause, where it is kept, and how many there were. */
  readonly findings: readonly { readonly first: Finding; readonly saved: string; readonly times: number }[]
}

interface Named extends Pick<Fuzzer, 'name'> {
  readonly slowness?: number | undefined
}

/** Children that may be lost to hangs and crashes before a fuzzer is given up. */
const MOST_CHILDREN = 20

/** Runs the inputs of one fuzzer in children, and keeps what was found. */
export async function fuzz({ name, slowness = 1 }: Named, options: FuzzOptions): Promise<Fuzzed> {
  const { program, seed, hang_ms, work, from = 0 } = options
  const end = from + Math.max(1, Math.round(options.runs / slowness))
  const outcomes = new Map<string, number>()
  const findings = new Map<string, { first: Finding; saved: string; times: number }>()
  const heard = {
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
    const { next: rest, late } = await watchChild(program, order, hang_ms, heard)
    // On a busy machine one may wait for its turn: only what hangs again, and alone, does hang.
    if (late)
      await watchChild(program, { ...order, from: late.index, runs: 1 }, hang_ms, { ...heard, late: heard.finding })
    next = rest
  }
  return { name, inputs: (next ?? end) - from, outcomes, findings: [...findings.values()] }
}

/** The input as files, with what it did and how to do it again. */
function save({ index, problem, input }: Finding, name: string, { seed, folder }: FuzzOptions): string {
  const place = join(folder, 'findings', `${name}-${seed}-${index}`)
  for (const [path, text] of Object.entries(input.files)) {
    const file = join(place, 'files', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(text, 'base64'))
  }
  mkdirSync(place, { recursive: true })
  const again = `npm run fuzz -- --only ${name} --seed ${seed} --from ${index} --runs 1`
  const { kind, message } = problem
  writeFileSync(join(place, 'finding.txt'), `${kind}: ${message}\n\nmade from ${input.from}\nagain: ${again}\n`)
  return place
}
