import type { Block, Message } from '../model/message.ts'

/** The messages of a test. A text is one user message; `input_files` are its `file` blocks, in order, before the text. */
export function expandInput(input: string | Message[], files: readonly string[] = []): Message[] {
  if (typeof input !== 'string') return input
  const content: Block[] = [...files.map((value): Block => ({ type: 'file', value })), { type: 'text', value: input }]
  return [{ role: 'user', content }]
}
