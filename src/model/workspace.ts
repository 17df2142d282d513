import { resolve } from 'node:path'
import type { Target } from './target.ts'

/** The `workspace` that is an empty Git repository. `./empty` is a folder of that name. */
export const EMPTY_WORKSPACE = 'empty'

/** What each attempt on a target gets: a copy of the folder with this absolute path, or an empty repository. */
export function workspaceOf({ provider, config, home }: Target): string | undefined {
  const written = provider.files?.workspace?.(config)
  return written === undefined || written === EMPTY_WORKSPACE ? written : resolve(home, written)
}
