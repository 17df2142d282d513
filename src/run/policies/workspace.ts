import type { Host } from '../../model/host.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Policy } from '../ask.ts'
import { placeFiles } from '../place-files.ts'
import type { Workspaces } from '../workspaces.ts'

/** Each ask works in a fresh copy of a folder, which is named in what comes of it. A later ask of the same attempt gets another. */
export function workspace(folder: string, workspaces: Workspaces, host: Host): Policy {
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

/** The same for whoever judges: nobody looks into the copy afterwards. Where a judge is to look around is said already. */
export function passingWorkspace(folder: string, workspaces: Workspaces, host: Host): Policy {
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
  throw new NoAnswer('bad-workspace', `the workspace cannot be made: ${error.message}`)
}
