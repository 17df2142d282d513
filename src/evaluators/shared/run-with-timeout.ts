import { LARGEST_ANSWER_BYTES } from '../../model/answer-limits.ts'
import type { GradeContext } from '../../model/evaluator.ts'
import type { Program, ProgramEnd } from '../../model/host.ts'

/** How a program ended, and whether it was ended because it took too long. */
export interface TimedEnd {
  readonly end: ProgramEnd
  readonly isLate: boolean
}

/** Runs a program for a limited time; all its processes are ended then. Throws what the host throws if it cannot be started. */
export async function runWithTimeout(
  program: Pick<Program, 'command' | 'cwd' | 'env' | 'stdin'>,
  timeout_seconds: number,
  { host, signal }: GradeContext,
): Promise<TimedEnd> {
  const stop = new AbortController()
  const forward = () => stop.abort()
  signal.throwIfAborted()
  signal.addEventListener('abort', forward)
  let isLate = false
  const callOff = host.clock.setTimer(timeout_seconds * 1000, () => {
    isLate = true
    stop.abort()
  })
  try {
    const end = await host.processes.run({ ...program, maxOutputBytes: LARGEST_ANSWER_BYTES, signal: stop.signal })
    return { end, isLate }
  } finally {
    callOff()
    signal.removeEventListener('abort', forward)
  }
}
