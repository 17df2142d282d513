import type { Block, Message } from '../model/message.ts'
import type { Suite } from '../model/suite.ts'
import type { Files } from './files.ts'
import { pathFor } from './path-for.ts'

/** A suite with the paths of the files in its inputs rewritten for another file. */
export async function suiteFor(to: string, suite: Suite, files: Files): Promise<Suite> {
  const blockFor = async (block: Block): Promise<Block> => {
    if (block.type !== 'file' || block.path === undefined) return block
    return { ...block, value: await pathFor(to, block.path, String(block.value), files) }
  }
  const messageFor = async (message: Message): Promise<Message> => {
    if (message.content === undefined) return message
    return { ...message, content: await Promise.all(message.content.map(blockFor)) }
  }
  const tests = suite.tests.map(async test => ({ ...test, input: await Promise.all(test.input.map(messageFor)) }))
  return { ...suite, tests: await Promise.all(tests) }
}
