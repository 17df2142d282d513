import type { Host, StopSignal } from '../model/host.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

const CODES: Readonly<Record<StopSignal, ExitCode>> = {
  SIGINT: EXIT.interrupt,
  SIGQUIT: EXIT.quit,
  SIGTERM: EXIT.terminate,
  SIGHUP: EXIT.hangup,
}

export interface SignalWatch {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** Aborted by the second signal, where that does not end the process. */
  readonly second: AbortSignal
  /** The exit code of the signal that came. */
  readonly code: ExitCode | undefined
  stop(): void
}

/**
 * The first signal asks for an orderly end, the second one for a faster one where there is one; the next ends the process,
 * after `onExit`.
 */
export function watchSignals(
  { signals, clock }: Pick<Host, 'signals' | 'clock'>,
  onFirst: () => void,
  onSecond?: () => void,
  onExit = () => {},
): SignalWatch {
  const first = clock.createAbortController()
  const second = clock.createAbortController()
  let code: ExitCode | undefined
  const stop = signals.listen(name => {
    if (code === undefined) {
      code = CODES[name]
      onFirst()
      first.abort()
    } else if (onSecond && !second.signal.aborted) {
      onSecond()
      second.abort()
    } else {
      onExit()
      signals.exit(CODES[name])
    }
  })
  return {
    signal: first.signal,
    second: second.signal,
    get code() {
      return code
    },
    stop,
  }
}
