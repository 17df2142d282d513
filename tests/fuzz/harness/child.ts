import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fuzzer, Input } from '../fuzzer.ts'
import { inputOf, type Problem, tryInput } from './try-input.ts'

/** The inputs that a child runs. */
export interface Order {
  readonly name: string
  readonly seed: number
  readonly from: number
  readonly runs: number
  /** The folder of the file with the current input. */
  readonly folder: string
}

/** A message of a child. */
export interface ChildReport {
  /** The number of inputs per outcome since the last report. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly problem?: { readonly index: number; readonly problem: Problem; readonly input: SavedInput }
}

export interface SavedInput extends Pick<Input, 'from' | 'salt'> {
  /** In base64. */
  readonly files: Readonly<Record<string, string>>
}

/** Inputs per report. */
const BATCH = 50

/** Runs inputs one after another. Saves each before it runs, so that it survives a crash. */
export async function runChild(fuzzers: readonly Fuzzer[], { name, seed, from, runs, folder }: Order): Promise<void> {
  const fuzzer = fuzzers.find(each => each.name === name)
  if (!fuzzer) throw new Error(`unknown fuzzer ${name}`)
  let outcomes: Record<string, number> = {}
  for (let index = from; index < from + runs; index++) {
    const input = saved(await inputOf(fuzzer, seed, index))
    saveCurrent(folder, { index, input })
    const tried = await tryInput(fuzzer, restored(input))
    if ('problem' in tried) report({ outcomes: {}, problem: { index, problem: tried.problem, input } })
    else outcomes[tried.outcome] = (outcomes[tried.outcome] ?? 0) + 1
    if ((index - from) % BATCH !== BATCH - 1 && index !== from + runs - 1) continue
    report({ outcomes })
    outcomes = {}
  }
}

/** The file with the input that is running. */
export const CURRENT = 'current.json'

function saveCurrent(folder: string, current: { readonly index: number; readonly input: SavedInput }): void {
  const draft = join(folder, `${CURRENT}.new`)
  writeFileSync(draft, JSON.stringify(current))
  renameSync(draft, join(folder, CURRENT))
}

function report(message: ChildReport): void {
  process.send?.(message)
}

function saved({ from, salt, files }: Input): SavedInput {
  const texts = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')])
  return { from, salt, files: Object.fromEntries(texts) }
}

function restored({ from, salt, files }: SavedInput): Input {
  const bytes = Object.entries(files).map(([path, text]) => [path, new Uint8Array(Buffer.from(text, 'base64'))])
  return { from, salt, files: Object.fromEntries(bytes) }
}
