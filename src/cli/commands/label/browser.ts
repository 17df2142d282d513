import { labelView } from '../../../operations/label/label-page.ts'
import type { LabelSession } from '../../../operations/label/label-session.ts'
import { servePage } from '../../../operations/serve/page-server.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { watchSignals } from '../../signals.ts'
import { KeyEvents } from './key-events.ts'

interface BrowserOptions {
  readonly port?: number | undefined
  /** Whether the page is opened. */
  readonly open: boolean
}

/** Serves the page on which answers are labelled, until `q` or a signal. */
export async function labelInBrowser(
  session: LabelSession,
  { port, open }: BrowserOptions,
  { host, terminal }: CommandContext,
): Promise<ExitCode> {
  const server = await servePage({ port, answer: labelView(session) }, host)
  const signals = watchSignals(host, () => {})
  const events = new KeyEvents(host)
  try {
    terminal.out(`Label at ${server.address}\n`)
    terminal.err(`Press ${host.terminal.hasKeys ? 'q or ' : ''}Ctrl-C to end.\n`)
    if (open) host.network.openInBrowser(server.address)
    for (;;) {
      const event = await events.next(signals.signal)
      if (!event) return signals.code ?? EXIT.ok
      if (event.key === 'q') return EXIT.ok
    }
  } finally {
    events.close()
    signals.stop()
    await server.close()
  }
}
