import { dirname, relative, sep } from 'node:path'
import type { Block, Message } from '../../model/message.ts'
import type { Suite } from '../../model/suite.ts'
import type { Files } from '../files.ts'

/** Rewrites the file paths in the inputs of a suite for another location. */
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

/** Rewrites a path for another file: unchanged if it still resolves, otherwise relative to the folder of that file. */
export async function rebasePath(to: string, path: string, written: string, files: Files): Promise<string> {
  if ((await files.resolve(written, to)) === path) return written
  return relative(dirname(to), path).replaceAll(sep, '/') || '.'
}
