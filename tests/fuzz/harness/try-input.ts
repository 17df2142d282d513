import type { Fuzzer, Input } from '../fuzzer.ts'
import { Random } from '../random.ts'

/** What an input did that it must not do. */
export interface Problem {
  readonly kind: 'throw' | 'rejection' | 'hang' | 'crash'
  readonly message: string
}

export type Tried = { readonly outcome: string } | { readonly problem: Problem }

/** The input of this number: the same for the same seed. */
export async function inputOf(fuzzer: Fuzzer, seed: number, index: number): Promise<Input> {
  return fuzzer.make(new Random(`${fuzzer.name} ${seed} ${index}`))
}

/** Feeds the program with an input. A promise that nobody waits for must not fail either. */
export async function tryInput(fuzzer: Fuzzer, input: Input): Promise<Tried> {
  const rejected: unknown[] = []
  const note = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', note)
  try {
    const outcome = await fuzzer.run(input)
    await new Promise(resolve => setImmediate(resolve))
    if (rejected.length === 0) return { outcome }
    return { problem: { kind: 'rejection', message: wordsOf(rejected[0]) } }
  } catch (error) {
    return { problem: { kind: 'throw', message: wordsOf(error) } }
  } finally {
    process.off('unhandledRejection', note)
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The same for problems with the same cause, as far as one can tell. */
export function causeOf({ kind, message }: Problem): string {
  const [head = '', ...frames] = message.split('\n')
  const frame = frames.find(line => /^\s+at /.test(line) && !line.includes('node:internal')) ?? ''
  const words = head.replace(/(["'`]).*?\1/g, '…').replace(/\d+/g, '0')
  return `${kind} ${words.slice(0, 160)} ${frame.trim()}`
}
