import { printableLine } from '../../lib/text/escape.ts'
import type { Host } from '../../model/host.ts'
import type { RunObserver } from '../../operations/run/run-observer.ts'
import type { Terminal } from './terminal.ts'

/** Watches a session of several steps, each of which adds to a run. */
export interface StepObserver extends Required<Omit<RunObserver, 'onEvidence'>> {
  onStep(text: string): void
}

/** Shows the progress of each step anew. */
export async function createStepObserver({ quiet }: { readonly quiet?: boolean }, terminal: Terminal, host: Host) {
  const { TerminalObserver } = await import('./terminal-observer.ts')
  const create = () => new TerminalObserver({ quiet }, terminal, host)
  let current = create()
  const observer: StepObserver = {
    onStep: text => {
      current.end()
      current = create()
      if (!quiet) terminal.err(`${printableLine(text)}\n`)
    },
    // Each step adds to a run: that it is resumed is nothing new.
    onStart: opened => current.onStart({ ...opened, resumed: undefined }),
    onEvent: event => current.onEvent(event),
    onResult: (result, line) => current.onResult(result, line),
    onWarning: message => current.onWarning(message),
    onMessage: message => current.onMessage(message),
  }
  return { observer, end: () => current.end() }
}
