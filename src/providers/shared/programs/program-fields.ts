import { isAbsolute, relative, resolve } from 'node:path'
import { lazily } from '../../../lib/lazily.ts'
import { isBelow } from '../../../lib/paths.ts'
import * as z from '../../../lib/zod.ts'
import { commandFields } from '../../../model/commands.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { WITHOUT_GIT_VARIABLES } from '../../../model/program.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext, TargetFolders } from '../../../model/provider.ts'
import { EMPTY_WORKSPACE } from '../../../model/workspace.ts'

/** Fields shared by all providers that run a program. */
export const programFields = lazily(() => ({
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Folder in which the program runs. Default: its workspace, or the folder of the suite.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables to add.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder that is copied for every attempt, or `empty` for an empty Git repository. The program runs in the copy. `./empty` is a folder of that name.',
    ),
  ...commandFields(),
  sandbox: z
    .boolean()
    .optional()
    .describe(
      'Whether the program runs in a sandbox (Linux, with bubblewrap): it can write only to its workspace, and sees neither the project nor your home folder. Needs `workspace`.',
    ),
  network: z.boolean().optional().describe('Whether the program has network access in its sandbox. Default: false.'),
  readable: z
    .array(z.string().min(1))
    .optional()
    .describe('More files and folders that the program can read in its sandbox.'),
}))

/** Fields shared by all coding agents. */
export const agentFields = lazily(() => ({
  ...programFields(),
  model: z.string().min(1).optional().describe('Model of the agent.'),
  max_turns: z.int().min(1).optional().describe('Maximum number of turns.'),
  permission_mode: z.string().min(1).optional().describe('Permission mode of the agent.'),
  args: z.array(z.string()).optional().describe('Additional arguments, passed unchanged.'),
  config_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Configuration folder of the agent: `isolated`, `user`, or a path. Default: `isolated` with `skills` or `sandbox`, otherwise `user`.',
    ),
  skills: z
    .array(z.string().min(1))
    .optional()
    .describe('Skill folders to install for the agent. An empty list isolates the agent without any skill.'),
  stop_at: z
    .enum(['first_call'])
    .optional()
    .describe(
      'Where to stop the agent before its end. `first_call`: as soon as it calls a tool, which is all that a `trigger_judge` needs. Its cost is then unknown, unless the target has a `price`.',
    ),
}))

export type AgentConfig = z.output<z.ZodObject<ReturnType<typeof agentFields>>>

interface FolderFields {
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
}

/** The folder in which a program runs: that of a judge's files, `cwd`, the workspace, or the folder of the suite. */
export function workingFolder(fields: FolderFields, { look, workspace, folder }: Prompt, { home }: AskContext): string {
  const { cwd, workspace: source = '' } = fields
  if (look) return look.folder
  if (cwd === undefined) return workspace ?? folder
  if (workspace === undefined) return resolve(home, cwd)
  if (source === EMPTY_WORKSPACE) return resolve(workspace, cwd)
  // An absolute `cwd` is a folder of the copy as well.
  const original = resolve(home, source)
  return resolve(workspace, relative(original, resolve(original, cwd)))
}

/** The folder of a target's program before its workspace is copied. */
export function programFolder({ cwd, workspace }: FolderFields, { home, suite }: TargetFolders): string {
  if (workspace === undefined) return cwd === undefined ? suite : resolve(home, cwd)
  return resolve(home, workspace, cwd ?? '')
}

/** Environment variables to remove in a workspace, as undefined. */
export function workspaceEnv({ workspace, look }: Prompt): Readonly<Record<string, undefined>> {
  return workspace === undefined && look === undefined ? {} : WITHOUT_GIT_VARIABLES
}

/** Reports problems with the folders of a target. */
export async function folderIssues(
  { cwd, workspace, ...commands }: FolderFields & CommandFields,
  home: string,
  host: Host,
): Promise<Issue[]> {
  if (workspace === undefined) return commandIssues(commands)
  const folder = resolve(home, workspace)
  const found = await host.files.stat(folder).catch(() => undefined)
  const issues: Issue[] = []
  const isEmpty = workspace === EMPTY_WORKSPACE
  if (found?.kind !== 'folder' && !isEmpty) {
    const hint = `relative paths start at ${home}`
    issues.push({ code: 'file-missing', path: ['workspace'], message: `the folder ${workspace} does not exist`, hint })
  }
  if (cwd !== undefined && ((isEmpty && isAbsolute(cwd)) || !isBelow(resolve(folder, cwd), folder))) {
    const place = isEmpty ? cwd : relative(folder, resolve(folder, cwd))
    const message = `\`cwd\` is ${place}, which is outside the workspace`
    const hint = 'with a workspace, `cwd` must be a folder inside it'
    issues.push({ code: 'bad-target', path: ['cwd'], message, hint })
  }
  return issues
}

type CommandFields = z.output<z.ZodObject<ReturnType<typeof commandFields>>>

/** Reports commands without a workspace. */
function commandIssues(commands: CommandFields): Issue[] {
  const keys = (['setup', 'teardown'] as const).filter(key => commands[key] !== undefined)
  return keys.map(key => {
    const message = `\`${key}\` runs in a workspace, but the target has none`
    return { code: 'no-workspace', path: [key], message, hint: `add \`workspace: DIR\`, or remove \`${key}\`` }
  })
}
