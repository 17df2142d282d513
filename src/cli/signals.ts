import { killAllPrograms } from '../host/processes/run-program.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

const SIGNALS: Readonly<Partial<Record<NodeJS.Signals, ExitCode>>> = {
  SIGINT: EXIT.interrupt,
  SIGQUIT: EXIT.quit,
  SIGTERM: EXIT.terminate,
  SIGHUP: EXIT.hangup,
}

export interface SignalWatch {
  readonly signal: AbortSignal
  /** After the second one, where that does not end everything. */
  readonly second: AbortSignal
  /** The exit code of the signal that came. */
  readonly code: ExitCode | undefined
  stop(): void
}

/** The first signal asks for an orderly end, the second one for a quicker one where there is one; the next ends everything at once. */
export function watchSignals(onFirst: () => void, onSecond?: () => void): SignalWatch {
  const controller = new AbortController()
  const second = new AbortController()
  let code: ExitCode | undefined
  const listener = (name: NodeJS.Signals) => {
    const received = SIGNALS[name] ?? EXIT.interrupt
    if (code === undefined) {
      code = received
      onFirst()
      controller.abort()
    } else if (onSecond && !second.signal.aborted) {
      onSecond()
      second.abort()
    } else {
      killAllPrograms()
      process.exit(received)
    }
  }
  const names = Object.keys(SIGNALS) as NodeJS.Signals[]
  for (const name of names) process.on(name, listener)
  return {
    signal: controller.signal,
    second: second.signal,
    get code() {
      return code
    },
    stop() {
      for (const name of names) process.off(name, listener)
    },
  }
}
