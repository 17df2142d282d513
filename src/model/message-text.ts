import type { Message } from './message.ts'

/** A message as text: its text blocks and its JSON, a blank line between. */
export function textOf(message: Message | undefined): string {
  const blocks = message?.content ?? []
  const [only] = blocks
  // Nearly every message is one text, and every answer is made to one.
  if (only?.type === 'text' && blocks.length === 1) return only.value
  return blocks
    .flatMap(block => {
      if (block.type === 'text') return [block.value]
      return block.type === 'json' ? [JSON.stringify(block.value, null, 2)] : []
    })
    .join('\n\n')
}
