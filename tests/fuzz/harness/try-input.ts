import type { Fuzzer, Input } from '../fuzzer.ts'
import { Random } from '../random.ts'

/** A failure that an input caused. */
export interface Problem {
  readonly kind: 'throw' | 'rejection' | 'hang' | 'crash'
  readonly message: string
}

export type TryOutcome = { readonly outcome: string } | { readonly problem: Problem }

/** Makes the input with this index; deterministic for a seed. */
export async function inputOf(fuzzer: Fuzzer, seed: number, index: number): Promise<Input> {
  return fuzzer.make(new Random(`${fuzzer.name} ${seed} ${index}`))
}

/** Runs an input. Unhandled rejections are problems too. */
export async function tryInput(fuzzer: Fuzzer, input: Input): Promise<TryOutcome> {
  const rejected: unknown[] = []
  const note = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', note)
  try {
    const outcome = await fuzzer.run(input)
    await new Promise(resolve => setImmediate(resolve))
    if (rejected.length === 0) return { outcome }
    return { problem: { kind: 'rejection', message: stackOf(rejected[0]) } }
  } catch (error) {
    return { problem: { kind: 'throw', message: stackOf(error) } }
  } finally {
    process.off('unhandledRejection', note)
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A key that is equal for problems with the same apparent cause. */
export function causeOf({ kind, message }: Problem): string {
  const [head = '', ...frames] = message.split('\n')
  const frame = frames.find(line => /^\s+at /.test(line) && !line.includes('node:internal')) ?? ''
  const words = head.replace(/(["'`]).*?\1/g, '…').replace(/\d+/g, '0')
  return `${kind} ${words.slice(0, 160)} ${frame.trim()}`
}
