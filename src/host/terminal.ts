import type { Host, OutputStream, StopSignal } from '../model/host.ts'
import { listenToKeys } from './keys.ts'

export const nodeTerminal: Host['terminal'] = {
  get stdout() {
    return streamOf(process.stdout)
  },
  get stderr() {
    return streamOf(process.stderr)
  },
  get hasKeys() {
    return process.stdin.isTTY === true
  },
  keys: listenToKeys,
  onResize(call) {
    process.stdout.on('resize', call)
    return () => void process.stdout.off('resize', call)
  },
}

function streamOf(stream: NodeJS.WriteStream): OutputStream {
  return {
    write: text => void stream.write(text),
    isTTY: stream.isTTY === true,
    // `columns` and `rows` of a stream are those of the last signal, which may come after the next write.
    get columns() {
      return stream.isTTY ? stream.getWindowSize()[0] : undefined
    },
    get rows() {
      return stream.isTTY ? stream.getWindowSize()[1] : undefined
    },
  }
}

const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']

export const nodeSignals: Host['signals'] = {
  listen(call) {
    const listener = (signal: NodeJS.Signals) => call(signal as StopSignal)
    for (const signal of STOP_SIGNALS) process.on(signal, listener)
    return () => {
      for (const signal of STOP_SIGNALS) process.off(signal, listener)
    }
  },
  // Programs are ended by a listener of `exit`.
  exit: code => process.exit(code),
}
