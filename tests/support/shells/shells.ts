import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { run } from '../program.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** Whether tests of a shell are skipped, and what to install then. In CI they run and fail. */
export function findShell(shell: Shell, env: NodeJS.ProcessEnv): { isSkipped: boolean; problem: string | undefined } {
  const { status } = spawnSync(shell, ['-c', 'exit 0'], { env })
  if (status === 0) return { isSkipped: false, problem: undefined }
  const problem = `Completion cannot be tested in ${shell}: not found. To get it: apt install ${shell}`
  return { isSkipped: !env['CI'], problem }
}

/** A `describe` for each shell that is installed. */
export function describeInShells(title: string, tests: (shell: Shell) => void): void {
  for (const shell of SHELLS) {
    const { isSkipped, problem } = findShell(shell, process.env)
    if (problem !== undefined) console.warn(problem)
    describe.skipIf(isSkipped)(`${title} in ${shell}`, () => tests(shell))
  }
}

/** Keeps what zsh finds out when it starts, for the next start. */
const COMPDUMP = join(tmpdir(), 'zcompdump')

/** The words that a shell offers at the end of a line, after it has read the script. */
export async function offersOf(shell: Shell, script: string, line: string, cwd: string): Promise<string[]> {
  const [program = '', ...args] = COMMANDS[shell](script, line)
  const { code, stdout, stderr } = await run(program, args, { cwd, env: { COMPDUMP, LC_ALL: 'C.UTF-8' } })
  if (stderr !== '') throw new Error(`${shell} exited with ${code}: ${stderr}`)
  const words = stdout.split('\n').map(each => each.split('\t')[0] ?? '')
  // Some shells replace only what is behind the =, some offer the whole word.
  const kept = /(\S+=)\S*$/.exec(line)?.[1] ?? ''
  return [...new Set(words.filter(word => word !== '').map(word => word.replace(kept, '')))].sort()
}

const COMMANDS: Readonly<Record<Shell, (script: string, line: string) => string[]>> = {
  bash: (script, line) => ['bash', join(import.meta.dirname, 'completions.bash'), script, ...bashWords(line)],
  zsh: (script, line) => ['zsh', '-f', join(import.meta.dirname, 'completions.zsh'), script, line],
  fish: (script, line) => ['fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line],
}

/** Splits a line as bash does for its completion: also at = and :. */
function bashWords(line: string): string[] {
  const words = line.split(' ').flatMap(word => (word === '' ? [''] : (word.match(/[=:]+|[^=:]+/g) ?? [])))
  return words.slice(1)
}
