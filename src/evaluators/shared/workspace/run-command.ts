import { join } from 'node:path'
import { isBelow } from '../../../lib/paths.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { GradeContext, Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { ProgramEnd } from '../../../model/host.ts'
import { describeOutput, describeStartError, findProgram, WITHOUT_GIT_VARIABLES } from '../../../model/program.ts'
import { runWithTimeout } from '../run-with-timeout.ts'
import { changesOf } from './recorded-changes.ts'
import { workspaceGone, workspaceRoot } from './workspace-root.ts'

export interface Command {
  readonly run: string | readonly string[]
  readonly cwd?: string | undefined
  readonly exit_code: number
  readonly timeout_seconds: number
}

/** How a command ended, or a fault of the agent's work that kept it from ending. */
export type CommandRun = { readonly end: ProgramEnd } | { readonly fault: string; readonly end?: ProgramEnd }

/** Runs a command in the workspace of an answer. Throws `Unjudged` if the agent is not the reason that it cannot run. */
export async function runCommand(command: Command, subject: Subject, context: GradeContext): Promise<CommandRun> {
  // Unknown changes mean that there was no workspace.
  changesOf(subject)
  const root = await workspaceRoot(subject, context.host)
  if (root === undefined) throw workspaceGone('it runs a command there')
  const cwd = await workingFolder(root, command.cwd ?? '.', context)
  return typeof cwd === 'string' ? context.withSlot(() => start(command, cwd, context)) : cwd
}

/** Resolves the folder of a command; the agent may have removed it, or replaced it by a link. */
async function workingFolder(root: string, cwd: string, { host }: GradeContext): Promise<string | { fault: string }> {
  const real = await host.files.realPath(join(root, cwd))
  if (real !== undefined && !isBelow(real, root))
    return { fault: `the folder ${quoteCode(cwd)} leads out of the workspace` }
  const stat = real === undefined ? undefined : await host.files.stat(real)
  if (real !== undefined && stat?.kind === 'folder') return real
  return { fault: `the workspace has no folder ${quoteCode(cwd)}` }
}

async function start(command: Command, cwd: string, context: GradeContext): Promise<CommandRun> {
  const { run, timeout_seconds } = command
  const program = { command: run, cwd, env: WITHOUT_GIT_VARIABLES }
  const ran = await runWithTimeout(program, timeout_seconds, context).catch(error => notStarted(error, run, context))
  if ('fault' in ran) return ran
  // Output after an abort is not a grade.
  context.signal.throwIfAborted()
  const { end, isLate } = ran
  if (isLate) return { fault: `took longer than ${timeout_seconds} s and was ended${printed(end)}`, end }
  if (end.tooLarge)
    throw new Unjudged('output-too-large', `the command printed more than 10 MB and was ended${printed(end)}`)
  if (end.code !== command.exit_code) await requireInstalled(run, end, context)
  return { end }
}

function printed({ stdout, stderr }: ProgramEnd): string {
  return `${describeOutput('stderr', stderr)}${describeOutput('stdout', stdout)}`
}

/** A program of the workspace is part of the agent's work; any other belongs to this machine. */
function notStarted(error: NodeJS.ErrnoException, run: Command['run'], { signal }: GradeContext): { fault: string } {
  signal.throwIfAborted()
  const words = describeStartError(error, run)
  if (words === undefined) throw error
  if (typeof run !== 'string' && run[0]?.includes('/')) return { fault: words }
  throw new Unjudged('program-missing', words)
}

/** The exit code of a shell for a program that was not found. */
const NOT_FOUND = 127

/** Throws if the shell did not find the program that a line begins with on this machine. */
async function requireInstalled(run: Command['run'], { code }: ProgramEnd, { host }: GradeContext): Promise<void> {
  if (typeof run !== 'string' || code !== NOT_FOUND) return
  const [program] = /^[\w.+-]+(?=\s|$)/.exec(run.trimStart()) ?? []
  if (program === undefined || (await findProgram(program, host)) !== undefined) return
  throw new Unjudged('program-missing', `${quoteCode(program)} could not be started: program not found`)
}
