import { dirname, relative, sep } from 'node:path'
import type { Block, Message } from '../../model/message.ts'
import type { Suite } from '../../model/suite.ts'
import type { Files } from '../files.ts'

/** A suite with the paths of the files in its inputs rewritten for another file. */
export async function rebaseSuite(to: string, suite: Suite, files: Files): Promise<Suite> {
  const blockFor = async (block: Block): Promise<Block> => {
    if (block.type !== 'file' || block.path === undefined) return block
    return { ...block, value: await rebasePath(to, block.path, String(block.value), files) }
  }
  const messageFor = async (message: Message): Promise<Message> => {
    if (message.content === undefined) return message
    return { ...message, content: await Promise.all(message.content.map(blockFor)) }
  }
  const tests = suite.tests.map(async test => ({ ...test, input: await Promise.all(test.input.map(messageFor)) }))
  return { ...suite, tests: await Promise.all(tests) }
}

/** How a file writes the path of a place: as it is written elsewhere where that leads there, else relative to its folder. */
export async function rebasePath(to: string, place: string, written: string, files: Files): Promise<string> {
  if ((await files.resolve(written, to)) === place) return written
  return relative(dirname(to), place).replaceAll(sep, '/') || '.'
}
