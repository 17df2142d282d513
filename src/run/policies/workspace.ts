import type { Host } from '../../model/host.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import type { Policy } from '../ask.ts'
import { placeFiles } from '../place-files.ts'
import type { Workspaces } from '../workspaces.ts'

/** Each ask works in a fresh copy of a folder, which is named in what comes of it. A later ask of the same attempt gets another. */
export function workspace(folder: string, workspaces: Workspaces, host: Host): Policy {
  let last: string | undefined
  return ask => async (prompt, stop) => {
    if (last !== undefined) await host.remove(last).catch(() => {})
    const path = await workspaces.copyOf(folder).catch(cannotCopy)
    last = path
    const messages = await placeFiles(prompt, folder, path, host).catch(cannotCopy)
    try {
      const answer = await ask({ ...prompt, messages, workspace: path }, stop)
      host.keepFolder(path)
      return { ...answer, workspace_path: path }
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.code, error.message, { ...error, workspace_path: path })
      await host.remove(path).catch(() => {})
      throw error
    }
  }
}

function cannotCopy(error: Error): never {
  throw new NoAnswer('bad-workspace', `the workspace cannot be made: ${error.message}`)
}
