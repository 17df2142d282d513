import { labelView } from '../../../operations/label/label-page.ts'
import type { LabelSession } from '../../../operations/label/label-session.ts'
import type { CommandContext } from '../../command-context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { serveView } from '../../serve-view.ts'

interface BrowserOptions {
  readonly port?: number | undefined
  /** Whether the page is opened. */
  readonly open: boolean
}

/** Serves the page on which answers are labelled, until `q` or a signal. It has nothing else of the project. */
export function labelInBrowser(
  session: LabelSession,
  { port, open }: BrowserOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return serveView({ answer: labelView(session) }, { port, open, title: 'Label at', path: '' }, context)
}
