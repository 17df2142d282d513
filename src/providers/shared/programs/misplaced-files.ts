import { isAbsolute, resolve } from 'node:path'
import { shown } from '../../../lib/shown.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Places } from '../../../model/provider.ts'

interface Started {
  readonly command: readonly string[] | string
  readonly cwd?: string | undefined
  readonly workspace?: string | undefined
}

/** Programs and scripts that are not in the folder of the suite, where a command runs, but in that of the targets. */
export async function misplacedFiles(target: Started, { home, suite }: Places, host: Host): Promise<Issue[]> {
  const { command, cwd, workspace } = target
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : command
  if (cwd !== undefined || workspace !== undefined || suite === home || words[0] === 'cd') return []
  const isFile = async (path: string) => (await host.files.stat(path).catch(() => undefined))?.kind === 'file'
  const issues: Issue[] = []
  for (const [index, word] of words.slice(0, MOST_LOOKED_AT).entries()) {
    if (!isProgram(word, index) || (await isFile(resolve(suite, word))) || !(await isFile(resolve(home, word))))
      continue
    const message = `${shown(word)} is not in ${suite}, where the program runs, but in ${home}`
    const path = typeof command === 'string' ? ['command'] : ['command', index]
    issues.push({ code: 'file-missing', path, message, hint: 'add `cwd: .` to the target to run it there' })
  }
  return issues
}

/** What starts a program is at its beginning: `uv run agent.py`. */
const MOST_LOOKED_AT = 3

const SCRIPT = /\.(?:[mc]?[jt]s|py|sh|rb|pl|php|lua|jar)$/

function isProgram(word: string, index: number): boolean {
  if (isAbsolute(word) || /^-|[{}$\0]/.test(word)) return false
  return SCRIPT.test(word) || (index === 0 && word.includes('/'))
}
