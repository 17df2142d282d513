import { resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { findTargetsFile } from '../parse/targets/targets-file.ts'

/** The targets file that the user names, else the nearest one. */
export async function requireTargetsFile(named: string | undefined, host: Host): Promise<string> {
  if (named !== undefined) return resolve(host.cwd, named)
  const file = await findTargetsFile(host.cwd, new Files(host, new Diagnostics()))
  if (file !== undefined) return file
  throw new UserError(
    'No targets file found: looked for .assay/targets.yaml, .agentv/targets.yaml and targets.yaml here and in the folders above.',
    'Name one with `--targets`, or write a first one with `assay init`.',
  )
}
