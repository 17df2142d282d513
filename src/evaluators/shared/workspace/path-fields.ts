import { pathGlobProblem } from '../../../lib/globs/path-glob.ts'
import { lazily } from '../../../lib/lazily.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Path } from '../../../model/location.ts'

/** A glob over the files of a workspace. */
export const fileGlob = lazily(() => z.string().min(1))

/** The path of one file in a workspace. */
export const workspacePath = lazily(() =>
  z
    .string()
    .min(1)
    .regex(
      /^(?![/\\]|[A-Za-z]:|\.\.(?:[/\\]|$))(?!.*[/\\]\.\.(?:[/\\]|$))/s,
      'is not inside the workspace: write a relative path without `..`',
    )
    .regex(/^[^*]*$/s, 'is not the path of one file: `*` is not allowed here')
    .describe('Path of a file in the workspace of the target.'),
)

/** A paragraph of the reference on globs. */
export const GLOB_NOTE =
  'In globs, `*` and `?` match within a folder, `**` across folders, `[abc]` and `[!a-z]` one character, and `{a,b}` alternatives; a backslash before a special character makes it an ordinary one. Files whose names begin with a dot match too, and case matters. `./src/a.ts` is the same as `src/a.ts`, and `src/` the same as `src/**`: everything below the folder. A path that leads out of the workspace (`../a`, `/etc`) or into `.git`, which is not part of it, is an error before the run.'

const GIT_PROBLEM = '`.git` is not copied to workspaces, and changes in it are not recorded'

/** Reports globs that cannot match a file of a workspace. */
export function globIssues(globs: readonly { readonly glob: string; readonly path: Path }[]): Issue[] {
  return globs.flatMap(({ glob, path }): Issue[] => {
    const problem = pathGlobProblem(glob) ?? (/(?:^|[/{,])\.git(?:[/},]|$)/.test(glob) ? GIT_PROBLEM : undefined)
    if (problem === undefined) return []
    const message = `${quoteCode(glob)} cannot match a file of the workspace: ${problem}`
    const hint = 'write a path relative to the workspace, such as `src/**/*.ts`'
    return [{ code: 'bad-path', path, message, hint }]
  })
}
