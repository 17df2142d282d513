import type { Message } from './message.ts'

/** The absolute paths of the files and images that messages bring along. */
export function filesIn(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content = [] }) => content.flatMap(({ path }) => (path === undefined ? [] : [path])))
}
