import { NoAnswer } from '../../../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../../../model/answer-limits.ts'
import type { ProgramEnd } from '../../../model/host.ts'
import { describeExit, describeStartError, describeStderr } from '../../../model/program.ts'
import type { AskContext } from '../../../model/provider.ts'
import { runSandboxed } from '../sandbox/run-sandboxed.ts'
import type { Invocation } from './invocation.ts'

/** Runs a program. Throws `NoAnswer` with the end of its stderr if it fails. */
export async function runSuccessfully(program: Invocation, context: AskContext): Promise<ProgramEnd> {
  const end = await runProgram(program, context)
  if (end.code !== 0) {
    throw new NoAnswer('program-failed', `the program ${describeExit(end)}`)
  }
  return end
}

type RunContext = Pick<AskContext, 'host' | 'signal'>

/** Runs a program to its end, whatever its exit code; in its sandbox, if it has one. */
export async function runProgram({ sandbox, ...program }: Invocation, context: RunContext): Promise<ProgramEnd> {
  const run = (started: Invocation) => runDirectly(started, context)
  return sandbox ? runSandboxed(program, sandbox, context.host, run) : run(program)
}

async function runDirectly(program: Invocation, { host, signal }: RunContext): Promise<ProgramEnd> {
  const { env, ...rest } = program
  const end = await host.processes
    .run({ ...rest, ...(env ? { env } : {}), maxOutputBytes: LARGEST_ANSWER_BYTES, signal })
    .catch(async error => {
      signal.throwIfAborted()
      const folder = await host.files.stat(program.cwd).catch(() => undefined)
      throw folder?.kind === 'folder' ? startError(error, program) : missingFolderError(program)
    })
  if (signal.aborted) throw abortReason(signal.reason, end)
  if (end.tooLarge) {
    const what = program.onLine ? 'a line of more than 10 MB' : 'more than 10 MB'
    throw new NoAnswer('output-too-large', `the program printed ${what} and was stopped`)
  }
  return end
}

/** The reason of an abort. A timeout gets the end of stderr. */
function abortReason(reason: unknown, end: ProgramEnd): unknown {
  if (!(reason instanceof NoAnswer) || end.stderr.trim() === '') return reason
  return new NoAnswer(reason.code, `${reason.message}${describeStderr(end)}`)
}

/** Shortages of the machine that may pass. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']

function missingFolderError({ cwd }: Invocation): NoAnswer {
  return new NoAnswer('program-missing', `the program could not be started: the folder ${cwd} does not exist`)
}

function startError(error: NodeJS.ErrnoException, { command }: Invocation): unknown {
  switch (error.code) {
    case 'E2BIG':
      return new NoAnswer('prompt-too-long', 'the prompt is too long for an argument: use {PROMPT_FILE} or stdin')
    case 'ERR_INVALID_ARG_VALUE':
      return new NoAnswer(
        'bad-prompt',
        'the prompt contains a NUL character, which an argument cannot: use {PROMPT_FILE} or stdin',
      )
  }
  const words = describeStartError(error, command)
  const retryable = SHORTAGES.includes(error.code ?? '')
  return words === undefined ? error : new NoAnswer('program-missing', words, { retryable })
}
