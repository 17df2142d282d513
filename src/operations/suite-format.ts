import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { isJsonSuite } from '../parse/file-names.ts'
import type { Format } from '../transpile/transpile.ts'
import { displayPath } from './display-path.ts'

/** Whether evals are those of a plugin, which are a folder. Throws if they are in another format than they must be. */
export async function requireFormat(path: string, format: Format | undefined, host: Host): Promise<boolean> {
  const stat = await host.files.stat(path).catch(() => undefined)
  const isPlugin = stat?.kind === 'folder'
  if (format === undefined || !stat) return isPlugin
  if (format === 'plugin-evals' ? !isPlugin : isPlugin || !isJsonSuite(path))
    throw new UserError(`${displayPath(path, host)} is not in the format ${format}: ${FORMS[format]}.`)
  return isPlugin
}

const FORMS: Readonly<Record<Format, string>> = {
  'skill-creator': 'name an evals.json or a trigger set',
  agentskills: 'name an evals.json or an eval_queries.json',
  'plugin-evals': 'name the folder of a plugin with evals',
}
