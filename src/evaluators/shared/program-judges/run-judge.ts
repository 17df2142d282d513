import { isAbsolute } from 'node:path'
import type { GradeContext } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Program, ProgramEnd } from '../../../model/host.ts'
import { describeExit, describeOutput, describeStartError, describeStderr } from '../../../model/program.ts'
import { runWithTimeout } from '../run-with-timeout.ts'

interface JudgeProgram {
  readonly command: readonly string[] | string
  readonly cwd: string
  readonly env: NonNullable<Program['env']>
  readonly stdin: string
  readonly timeout_seconds: number
}

/** Runs a judge program. Throws `Unjudged` if it fails or times out; all its processes are ended then. */
export function runJudge(program: JudgeProgram, context: GradeContext): Promise<ProgramEnd> {
  return context.withSlot(() => run(program, context))
}

async function run({ timeout_seconds, ...program }: JudgeProgram, context: GradeContext): Promise<ProgramEnd> {
  const { host, signal } = context
  const { end, isLate } = await runWithTimeout(program, timeout_seconds, context).catch(async error => {
    signal.throwIfAborted()
    const folder = await host.files.stat(program.cwd).catch(() => undefined)
    throw folder?.kind === 'folder' ? notStarted(error, program.command) : noFolder(program.cwd)
  })
  if (isLate)
    throw new Unjudged(
      'judge-timeout',
      `the judge took longer than ${timeout_seconds} s${describeStderr(end)}${printed(end)}`,
    )
  // Output after an abort is not a grade.
  signal.throwIfAborted()
  return requireSuccess(end)
}

function requireSuccess(end: ProgramEnd): ProgramEnd {
  if (end.tooLarge)
    throw new Unjudged('judge-output', `the judge printed more than 10 MB and was ended${describeStderr(end)}`)
  if (end.code !== 0)
    throw new Unjudged('judge-failed', `the judge ${describeExit(end)}${printed(end)}${shellHint(end)}`)
  return end
}

/** The exit code of a shell for a file that is not executable. */
const MAY_NOT_EXECUTE = 126

function shellHint({ code }: ProgramEnd): string {
  return code === MAY_NOT_EXECUTE ? `; ${EXECUTABLE_HINT}` : ''
}

const EXECUTABLE_HINT = 'make the file executable, or write its interpreter before it (`python3 ./judge.py`)'

/** The end of stdout if stderr is empty, because many judges report failures there. */
function printed({ stdout, stderr }: ProgramEnd): string {
  return stderr.trim() === '' ? describeOutput('stdout', stdout) : ''
}

function notStarted(error: NodeJS.ErrnoException, command: readonly string[] | string): unknown {
  const words = describeStartError(error, command)
  return words === undefined ? error : new Unjudged('judge-missing', `the judge ${words}${startHint(error, command)}`)
}

/** The hint for a judge that could not be started. */
function startHint({ code }: NodeJS.ErrnoException, [program = '']: readonly string[] | string): string {
  if (code === 'EACCES') return `; ${EXECUTABLE_HINT}`
  const isScript = code === 'ENOENT' && !isAbsolute(program) && /[^.]\.\w+$/.test(program)
  return isScript ? ' on PATH or next to the suite' : ''
}

function noFolder(cwd: string): Unjudged {
  return new Unjudged('judge-missing', `the judge could not be started: there is no folder ${cwd}`)
}
