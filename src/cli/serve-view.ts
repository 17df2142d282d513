import { type PageService, servePage } from '../operations/serve/page-server.ts'
import type { CommandContext } from './command-context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { watchSignals } from './signals.ts'
import { KeyEvents } from './terminal/key-events.ts'

interface ServeOptions {
  readonly port?: number | undefined
  /** Whether the page is opened. */
  readonly open: boolean
  /** What is said before the address: `Label at`. */
  readonly title: string
  /** The part of the view to open, behind the token. */
  readonly path: string
}

/** Serves the view until `q` or a signal. */
export async function serveView(
  view: Pick<PageService, 'answer'>,
  options: ServeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { port, open, title, path } = options
  const server = await servePage({ port, answer: view.answer }, host)
  const signals = watchSignals(host, () => {})
  const events = new KeyEvents(host)
  try {
    const address = `${server.address}${path}`
    terminal.out(`${title} ${address}\n`)
    terminal.err(`Press ${host.terminal.hasKeys ? 'q or ' : ''}Ctrl-C to end.\n`)
    if (open) host.network.openInBrowser(address)
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
