import { runCommand } from '../../src/cli/program.ts'
import { terminal } from '../../src/cli/terminal/terminal.ts'
import type { Result } from './program.ts'

/** Runs a command of the program in this process, which saves the start of another one. One at a time. */
export async function command(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Result> {
  const before = { cwd: process.cwd(), env: process.env, out: terminal.out, err: terminal.err }
  const printed = { stdout: '', stderr: '' }
  terminal.redact = text => text
  terminal.out = text => {
    printed.stdout += terminal.redact(text)
  }
  terminal.err = text => {
    printed.stderr += terminal.redact(text)
  }
  process.chdir(cwd)
  process.env = { ...before.env, CI: 'true', ...env }
  try {
    return { code: await runCommand(args), ...printed }
  } finally {
    process.chdir(before.cwd)
    process.env = before.env
    terminal.out = before.out
    terminal.err = before.err
  }
}
