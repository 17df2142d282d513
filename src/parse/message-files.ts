import type { Block, Message } from '../model/message.ts'
import { isImageData } from './image-data.ts'
import type { Loading } from './loading.ts'
import type { SourceNode } from './source-node.ts'

/** Gives each `file` and `image` block of a list of messages its path, or reports that nothing is there. */
export function findMessageFiles(messages: readonly Message[], at: SourceNode, loading: Loading): void {
  for (const [index, { content = [] }] of messages.entries()) {
    if (content.some(isPath)) findBlockFiles(content, block => at.child(index, 'content', block, 'value'), loading)
  }
}

export function findBlockFiles(blocks: readonly Block[], atOf: (block: number) => SourceNode, loading: Loading): void {
  for (const [index, block] of blocks.entries()) {
    if (isPath(block)) loading.pending.push(findFile(block, atOf(index), loading))
  }
}

function isPath(block: Block): boolean {
  return block.type === 'file' || (block.type === 'image' && !isImageData(block.value))
}

async function findFile(block: Block & { value: unknown }, at: SourceNode, { files }: Loading): Promise<void> {
  const written = String(block.value)
  const path = await files.resolve(written, at.file)
  if (await files.requireFile(path, { at, written })) block.path = path
}
