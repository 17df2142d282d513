import { renderText } from '../../../diagnostics/render/text.ts'
import type { ConversationTarget, ConverseOptions } from '../../../operations/converse.ts'
import type { CommandContext } from '../../command-context.ts'
import { warningText } from '../../terminal/progress.ts'

/** Loads the target of a conversation and reports its diagnostics; undefined where they have an error. */
export async function loadTarget(
  options: ConverseOptions,
  { host, terminal }: CommandContext,
): Promise<ConversationTarget | undefined> {
  const { loadConversationTarget } = await import('../../../operations/converse.ts')
  const palette = terminal.palette('stderr')
  const warn = (message: string) => terminal.err(`${warningText(message, palette)}\n`)
  const { diagnostics, redactor, target } = await loadConversationTarget(
    {
      ...options,
      onEvent: event => {
        if (event.type === 'warning') warn(event.message)
        if (event.type === 'waiting') warn(`waiting: ${event.reason}`)
      },
    },
    host,
  )
  terminal.redactWith(redactor.text)
  for (const each of diagnostics) terminal.err(`${renderText(each, terminal.path(each.file), palette)}\n`)
  return target
}
