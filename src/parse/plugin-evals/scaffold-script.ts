import { basename, relative, sep } from 'node:path'
import { sha256, shortHash } from '../../lib/sha256.ts'
import { SUITE_FOLDER_VARIABLE } from '../../model/commands.ts'
import type { LoadContext } from '../suite/load-context.ts'
import { CASE_FILES } from './find-cases.ts'

/** Folders that are loaded otherwise. */
const OWN_FOLDERS = /^(?:graders|mocks)\//

/**
 * The command line that runs the script of a case. It ends in a hash of the files that the script may use, so that an
 * edited one makes another test, and has no absolute path, so that the test is the same on every machine.
 */
export async function scaffoldCommand(
  script: string,
  { folder, base }: { readonly folder: string; readonly base: string },
  { files: { host } }: LoadContext,
): Promise<string> {
  const { files } = await host.files.findBelow(folder, name => !CASE_FILES.includes(name))
  const contents: string[] = []
  for (const path of files) {
    const name = relative(folder, path).replaceAll(sep, '/')
    if (OWN_FOLDERS.test(name)) continue
    const bytes = await host.files.read(path).catch(() => '')
    contents.push(`${name} ${sha256(bytes)}`)
  }
  const path = relative(base, script).replaceAll(sep, '/').replaceAll("'", "'\\''")
  return `bash "$${SUITE_FOLDER_VARIABLE}"/'${path}' # ${basename(folder)} ${shortHash(contents.join('\n'))}`
}
