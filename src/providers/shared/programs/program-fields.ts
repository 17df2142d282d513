import { relative, resolve } from 'node:path'
import * as z from 'zod'
import { isBelow } from '../../../lib/paths.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { WITHOUT_GIT_VARIABLES } from '../../../model/program.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext, TargetFolders } from '../../../model/provider.ts'

/** Fields of every provider that starts a program. */
export const programFields = {
  cwd: z.string().min(1).optional().describe('Where it runs. Default: its workspace, else the folder of the suite.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables added to its environment.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('A folder that is copied anew for each attempt; the program runs in the copy.'),
}

/** Fields of the coding agents among them. */
export const agentFields = {
  ...programFields,
  model: z.string().min(1).optional().describe('The model that the agent uses.'),
  max_turns: z.int().min(1).optional().describe('The most turns of the agent.'),
  permission_mode: z.string().min(1).optional().describe('What the agent may do without asking, in its own words.'),
  args: z.array(z.string()).optional().describe('Further arguments, passed as they are.'),
  config_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The agent's configuration: `isolated`, `user`, or a path. Default: `isolated` with `skills`, else `user`.",
    ),
  skills: z.array(z.string().min(1)).min(1).optional().describe('Folders of skills that the agent gets.'),
}

export type AgentConfig = z.output<z.ZodObject<typeof agentFields>>

interface FolderFields {
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
}

/** Where a program runs: where it is to look around, in the folder that the target names, in its workspace, or in that of the suite. */
export function workingFolder(fields: FolderFields, { look, workspace, folder }: Prompt, { home }: AskContext): string {
  const { cwd, workspace: source = '' } = fields
  if (look) return look.folder
  if (cwd === undefined) return workspace ?? folder
  if (workspace === undefined) return resolve(home, cwd)
  // In the copy, also where it is written as a path of the machine.
  const original = resolve(home, source)
  return resolve(workspace, relative(original, resolve(original, cwd)))
}

/** Where the program of a target is found before it has a workspace of its own. */
export function programFolder({ cwd, workspace }: FolderFields, { home, suite }: TargetFolders): string {
  if (workspace === undefined) return cwd === undefined ? suite : resolve(home, cwd)
  return resolve(home, workspace, cwd ?? '')
}

/** Variables that do not belong into a workspace: undefined takes one away. */
export function workspaceEnv({ workspace, look }: Prompt): Readonly<Record<string, undefined>> {
  return workspace === undefined && look === undefined ? {} : WITHOUT_GIT_VARIABLES
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
