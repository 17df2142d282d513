import type { LabelSession } from '../../../operations/label/label-session.ts'
import { openProjectView } from '../../../operations/view/open-view.ts'
import { LABEL_PATH } from '../../../operations/view/view-routes.ts'
import type { CommandContext } from '../../command-context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { serveView } from '../../serve-view.ts'

interface BrowserOptions {
  readonly port?: number | undefined
  /** Whether the page is opened. */
  readonly open: boolean
  readonly runsDir?: string
}

/** Serves the page on which answers are labelled, until `q` or a signal. */
export async function labelInBrowser(
  label: LabelSession,
  { port, open, runsDir }: BrowserOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { view } = await openProjectView({ label, runs_dir: runsDir }, context.host)
  return serveView(view, { port, open, title: 'Label at', path: LABEL_PATH }, context)
}
