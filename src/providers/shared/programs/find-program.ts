import { isAbsolute, resolve } from 'node:path'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import { findProgram } from '../../../model/program.ts'
import type { TargetFolders } from '../../../model/provider.ts'
import { EMPTY_WORKSPACE } from '../../../model/workspace.ts'

interface StartFields {
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Describes why the program of a target cannot be started; undefined if it can. `program` is undefined for a shell command. */
export async function describeMissingProgram(
  program: string | undefined,
  { cwd, workspace, env }: StartFields,
  home: string,
  host: Host,
): Promise<string | undefined> {
  const copied = workspace === undefined ? undefined : resolve(home, workspace)
  // The suite is not known here; its folder may be the current one.
  const folder = cwd === undefined ? (copied ?? host.cwd) : resolve(copied ?? home, cwd)
  const statOf = (path: string) => host.files.stat(path).catch(() => undefined)
  // Setup may create folders of an empty workspace.
  const isCreated = workspace === EMPTY_WORKSPACE
  if (cwd !== undefined && !isCreated && (await statOf(folder))?.kind !== 'folder')
    return `the folder ${folder} does not exist`
  // Windows also searches by extension and in other folders.
  if (program === undefined || host.platform === 'win32') return undefined
  if (!program.includes('/')) {
    const found = await findProgram(program, host, env?.['PATH'])
    return found === undefined ? `program ${quoteCode(program)} not found on PATH` : undefined
  }
  const path = resolve(folder, program)
  const stat = await statOf(path)
  if (stat?.kind !== 'file') return `program ${path} not found`
  return stat.executable ? undefined : `${path} is not executable`
}

interface CommandFields {
  readonly command: readonly string[] | string
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
}

/** Reports programs and scripts that are in the folder of the targets, and not in that of the suite, where the command runs. */
export async function misplacedFileIssues(
  target: CommandFields,
  { home, suite }: TargetFolders,
  host: Host,
): Promise<Issue[]> {
  const { command, cwd, workspace } = target
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : command
  if (cwd !== undefined || workspace !== undefined || suite === home || words[0] === 'cd') return []
  const isFile = async (path: string) => (await host.files.stat(path).catch(() => undefined))?.kind === 'file'
  const issues: Issue[] = []
  for (const [index, word] of words.slice(0, MAX_WORDS).entries()) {
    if (!isProgram(word, index) || (await isFile(resolve(suite, word))) || !(await isFile(resolve(home, word))))
      continue
    const message = `${quoteCode(word)} not found in ${suite}, where the program runs; it is in ${home}`
    const path = typeof command === 'string' ? ['command'] : ['command', index]
    issues.push({ code: 'file-missing', path, message, hint: 'add `cwd: .` to the target to run it there' })
  }
  return issues
}

/** How many words of a command are checked: enough for `uv run agent.py`. */
const MAX_WORDS = 3

const SCRIPT = /\.(?:[mc]?[jt]s|py|sh|rb|pl|php|lua|jar)$/

function isProgram(word: string, index: number): boolean {
  if (isAbsolute(word) || /^-|[{}$\0]/.test(word)) return false
  return SCRIPT.test(word) || (index === 0 && word.includes('/'))
}
