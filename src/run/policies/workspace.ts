import { basename, dirname, join, relative } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import { filePathsIn, type Message } from '../../model/message.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'
import type { Workspaces } from '../workspaces.ts'

/** Runs each request in a fresh copy of a folder, whose path is in the answer. A retry gets a new copy. */
export function useWorkspace(folder: string, workspaces: Workspaces, host: Host): Policy {
  let last: string | undefined
  return ask => async (prompt, stop) => {
    if (last !== undefined) await host.files.remove(last).catch(() => {})
    const path = await workspaces.copyOf(folder, stop.signal).catch(error => cannotCopy(error, stop.signal))
    last = path
    try {
      const messages = await placeFiles(prompt, folder, path, host).catch(error => cannotCopy(error, stop.signal))
      return { ...(await ask({ ...prompt, messages, workspace: path }, stop)), workspace_path: path }
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.code, error.message, { ...error, workspace_path: path })
      await host.files.remove(path).catch(() => {})
      throw error
    }
  }
}

/** The same for judges, but removes the copy afterwards. A judge that inspects a given folder needs no copy. */
export function useTemporaryWorkspace(folder: string, workspaces: Workspaces, host: Host): Policy {
  return ask => async (prompt, stop) => {
    if (prompt.look) return ask(prompt, stop)
    const path = await workspaces.copyOf(folder, stop.signal).catch(error => cannotCopy(error, stop.signal))
    try {
      return await ask({ ...prompt, workspace: path }, stop)
    } finally {
      await host.files.remove(path).catch(() => {})
    }
  }
}

function cannotCopy(error: Error, signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new NoAnswer('bad-workspace', `cannot create the workspace: ${error.message}`)
}

/**
 * Copies the files of a prompt into a workspace and returns the messages with their new paths. A file of the copied folder
 * keeps its path in it; a file below the suite keeps its path from there; any other file keeps its name.
 */
export async function placeFiles(
  { messages, folder: suite }: Prompt,
  source: string,
  workspace: string,
  host: Host,
): Promise<readonly Message[]> {
  const files = [...new Set(filePathsIn(messages))]
  if (files.length === 0) return messages
  const isThere = (place: string) => isTaken(place, workspace, host)
  const root = (await host.files.realPath(source)) ?? source
  const places = new Map<string, string>()
  for (const file of files) {
    const real = (await host.files.realPath(file)) ?? file
    const isOwn = isBelow(real, root)
    const place = isOwn ? relative(root, real) : await freePlace(placeOf(file, suite), isThere)
    places.set(file, join(workspace, place))
    if (!isOwn || !(await isThere(place))) await host.files.copyFile(file, join(workspace, place))
  }
  return messages.map(message => withPlaces(message, places))
}

/** Whether a path exists, or one of its parents is a file. */
async function isTaken(place: string, workspace: string, host: Host): Promise<boolean> {
  if (place === '.') return false
  const stat = await host.files.stat(join(workspace, place))
  if (stat) return true
  const above = await host.files.stat(join(workspace, dirname(place)))
  return above ? above.kind !== 'folder' : isTaken(dirname(place), workspace, host)
}

function placeOf(file: string, suite: string): string {
  return isBelow(file, suite) ? relative(suite, file) : basename(file)
}

/** Returns a path that no other file has, with a numbered folder if need be. */
async function freePlace(place: string, isThere: (place: string) => Promise<boolean>): Promise<string> {
  let free = place
  for (let n = 2; await isThere(free); n++) free = join(String(n), place)
  return free
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
