import { relative, resolve } from 'node:path'
import { isBelow } from '../../../lib/is-below.ts'
import { OTHER_REPOSITORY } from '../../../model/git-variables.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext, Places } from '../../../model/provider.ts'

interface FolderFields {
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
}

/** Where a program runs: where it is to look around, in the folder that the target names, in its workspace, or in that of the suite. */
export function workFolder(fields: FolderFields, { look, workspace, folder }: Prompt, { home }: AskContext): string {
  const { cwd, workspace: source = '' } = fields
  if (look) return look.folder
  if (cwd === undefined) return workspace ?? folder
  if (workspace === undefined) return resolve(home, cwd)
  // In the copy, also where it is written as a path of the machine.
  const original = resolve(home, source)
  return resolve(workspace, relative(original, resolve(original, cwd)))
}

/** Where the program of a target is found before it has a workspace of its own. */
export function startFolder({ cwd, workspace }: FolderFields, { home, suite }: Places): string {
  if (workspace === undefined) return cwd === undefined ? suite : resolve(home, cwd)
  return resolve(home, workspace, cwd ?? '')
}

/** Variables that do not belong into a workspace: undefined takes one away. */
export function workEnv({ workspace, look }: Prompt): Readonly<Record<string, undefined>> {
  return workspace === undefined && look === undefined ? {} : OTHER_REPOSITORY
}

/** What is wrong with the folders of a target. */
export async function folderIssues({ cwd, workspace }: FolderFields, home: string, host: Host): Promise<Issue[]> {
  if (workspace === undefined) return []
  const folder = resolve(home, workspace)
  const found = await host.files.stat(folder).catch(() => undefined)
  const issues: Issue[] = []
  if (found?.kind !== 'folder') {
    const hint = `it is looked for in ${home}, the folder that the targets start from`
    issues.push({ code: 'file-missing', path: ['workspace'], message: `there is no folder ${workspace}`, hint })
  }
  if (cwd !== undefined && !isBelow(resolve(folder, cwd), folder)) {
    const message = `\`cwd\` is ${relative(folder, resolve(folder, cwd))}, outside of the workspace`
    const hint = 'with a workspace, it is a folder in it'
    issues.push({ code: 'bad-target', path: ['cwd'], message, hint })
  }
  return issues
}
