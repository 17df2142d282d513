import { basename, join, relative } from 'node:path'
import { isBelow } from '../lib/is-below.ts'
import { filesIn } from '../model/files-in.ts'
import type { Host } from '../model/host.ts'
import type { Message } from '../model/message.ts'
import type { Prompt } from '../model/prompt.ts'

/**
 * Puts the files of a prompt into a workspace, and gives the messages with their paths there. A file of the folder that the
 * workspace is a copy of has its place in it; one beside the suite keeps its path from there; any other one its name.
 */
export async function placeFiles(
  { messages, folder: suite }: Prompt,
  source: string,
  workspace: string,
  host: Host,
): Promise<readonly Message[]> {
  const places = new Map<string, string>()
  const taken = new Set<string>()
  for (const file of filesIn(messages)) {
    if (places.has(file)) continue
    const place = freePlace(placeOf(file, source, suite), taken)
    taken.add(place)
    places.set(file, join(workspace, place))
    await host.copyFile(file, join(workspace, place))
  }
  return places.size === 0 ? messages : messages.map(message => withPlaces(message, places))
}

function placeOf(file: string, source: string, suite: string): string {
  const root = [source, suite].find(folder => isBelow(file, folder))
  return root === undefined ? basename(file) : relative(root, file)
}

/** Two files from elsewhere may have one name. */
function freePlace(place: string, taken: ReadonlySet<string>): string {
  for (let n = 2, free = place; ; n++) {
    if (!taken.has(free)) return free
    free = join(String(n), place)
  }
}

function withPlaces(message: Message, places: ReadonlyMap<string, string>): Message {
  const { content } = message
  if (!content) return message
  const placed = content.map(block => {
    const path = block.path === undefined ? undefined : places.get(block.path)
    return path === undefined ? block : { ...block, path }
  })
  return { ...message, content: placed } as Message
}
