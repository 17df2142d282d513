import { join } from 'node:path'
import { it } from 'vitest'
import { run } from '../program.ts'
import { findPython } from './python.ts'

const RUNNER = join(import.meta.dirname, 'run_on_terminal.py')

const found = findPython(process.env, {
  program: 'import pty, termios',
  lost: 'Terminals cannot be made',
  how: 'apt install python3',
})
if (found.problem !== undefined) console.warn(found.problem)

/** Tests of programs on a terminal. */
export const itWithTerminal = it.skipIf(found.isSkipped)

interface TerminalSession {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** What to type, each as soon as the program has printed something. */
  readonly steps: readonly { readonly expect: string; readonly send: string }[]
  /** Ends the program after this time. */
  readonly seconds?: number
}

interface TerminalEnd {
  /** The exit code; negative for the number of a signal. */
  readonly code: number
  readonly output: string
  /** Whether the terminal is in the mode in which it was before. */
  readonly isRestored: boolean
  /** What the program did not print, or that it did not end. */
  readonly problem: string | null
}

/** Runs a program on a terminal and types on it, as a person does: programs in CI do not redraw what they print. */
export async function runOnTerminal({ env, ...session }: TerminalSession): Promise<TerminalEnd> {
  const argument = JSON.stringify({ ...session, env: { CI: '', ...env } })
  const { code, stdout, stderr } = await run('python3', [RUNNER, argument], { cwd: session.cwd })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
