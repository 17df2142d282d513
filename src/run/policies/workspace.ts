import { basename, dirname, join, relative } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import { filePathsIn, type Message } from '../../model/message.ts'
import type { Prompt } from '../../model/prompt.ts'
import { EMPTY_WORKSPACE } from '../../model/workspace.ts'
import type { Policy } from '../ask.ts'
import { findChanges } from '../changes/find-changes.ts'
import type { Originals } from '../changes/originals.ts'
import { type Snapshot, settledFiles, takeSnapshot } from '../changes/snapshot.ts'
import type { WorkspaceCommands } from '../workspace-commands.ts'
import type { Workspaces } from '../workspaces.ts'

/**
 * Runs each request in a fresh copy of a folder, or in an empty repository. The answer has its path, and what the agent
 * changed in it. A retry gets a new one. Teardown of the last copy is left to the end of the attempt.
 */
export function useWorkspace(folder: string, workspaces: Workspaces, host: Host, commands?: WorkspaceCommands): Policy {
  let last: string | undefined
  return ask => async (prompt, stop) => {
    const removed = async (path: string) => {
      await commands?.teardown([path])
      await host.files.remove(path).catch(() => {})
    }
    if (last !== undefined) await removed(last)
    const originals = workspaces.originalsOf(folder)
    const path = await workspaces.create(folder, stop.signal, originals).catch(error => cannotCopy(error, stop.signal))
    last = path
    try {
      const { signal } = stop
      const messages = await placeFiles(prompt, folder, path, host).catch(error => cannotCopy(error, signal))
      const before = await prepare(path, originals, { host, commands, signal })
      const answer = await ask({ ...prompt, messages, workspace: path }, stop)
      const found = await findChanges(before, path, host, signal).catch(error => cannotCompare(error, signal))
      return { ...answer, workspace_path: path, ...found }
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.code, error.message, { ...error, workspace_path: path })
      await removed(path)
      throw error
    }
  }
}

interface Preparation {
  readonly host: Host
  readonly commands: WorkspaceCommands | undefined
  readonly signal: AbortSignal
}

/** Runs setup in a copy, and takes its state before the agent. */
async function prepare(path: string, originals: Originals, { host, commands, signal }: Preparation): Promise<Snapshot> {
  commands?.open(path)
  const failed = (error: Error) => cannotCopy(error, signal)
  if (!commands?.hasSetup) return takeSnapshot(path, originals, host, { signal }).catch(failed)
  const untouched = await settledFiles(path, host, signal).catch(failed)
  await commands.setup(path, signal)
  return takeSnapshot(path, originals, host, { untouched, signal }).catch(failed)
}

/** The same for judges, but removes the copy afterwards. A judge that inspects a given folder needs no copy. */
export function useTemporaryWorkspace(
  folder: string,
  workspaces: Workspaces,
  host: Host,
  commands?: WorkspaceCommands,
): Policy {
  return ask => async (prompt, stop) => {
    if (prompt.look) return ask(prompt, stop)
    const path = await workspaces.create(folder, stop.signal).catch(error => cannotCopy(error, stop.signal))
    try {
      commands?.open(path)
      await commands?.setup(path, stop.signal)
      return await ask({ ...prompt, workspace: path }, stop)
    } finally {
      await commands?.teardown([path])
      await host.files.remove(path).catch(() => {})
    }
  }
}

function cannotCopy(error: Error, signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new NoAnswer('bad-workspace', `cannot create the workspace: ${error.message}`)
}

function cannotCompare(error: Error, signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new NoAnswer('bad-workspace', `cannot tell what the agent changed: ${error.message}`, { never_reached: false })
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
  const root = source === EMPTY_WORKSPACE ? undefined : ((await host.files.realPath(source)) ?? source)
  const places = new Map<string, string>()
  for (const file of files) {
    const real = (await host.files.realPath(file)) ?? file
    const own = root !== undefined && isBelow(real, root) ? relative(root, real) : undefined
    const place = own ?? (await freePlace(placeOf(file, suite), isThere))
    places.set(file, join(workspace, place))
    if (own === undefined || !(await isThere(place))) await host.files.copyFile(file, join(workspace, place))
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
