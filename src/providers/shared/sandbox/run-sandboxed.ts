import { join } from 'node:path'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host, ProgramEnd } from '../../../model/host.ts'
import { describeStderr, findProgram } from '../../../model/program.ts'
import type { Invocation } from '../programs/invocation.ts'
import type { Sandbox } from './sandbox.ts'
import { describeLackingSandbox } from './sandbox-issues.ts'

/** Runs a program in a sandbox with `run`. Throws `NoAnswer` if there is no sandbox, or if the program cannot be started in it. */
export async function runSandboxed(
  program: Invocation,
  sandbox: Sandbox,
  host: Host,
  run: (program: Invocation) => Promise<ProgramEnd>,
): Promise<ProgramEnd> {
  const lacks = await describeLackingSandbox({ sandbox: true }, host)
  if (lacks !== undefined) throw new NoAnswer('sandbox-failed', lacks)
  const bwrap = (await findProgram('bwrap', host)) ?? 'bwrap'
  const folder = await host.files.makeTemporaryFolder()
  try {
    const status = join(folder, 'status')
    const end = await run(sandboxedInvocation(program, sandbox, { bwrap, status }))
    if (end.code === undefined || end.code === 0 || (await hasStarted(status, host))) return end
    throw startError(end)
  } finally {
    // A folder that cannot be removed now is removed when the process exits.
    await host.files.remove(folder).catch(() => {})
  }
}

interface BwrapFiles {
  /** The path of bwrap itself. */
  readonly bwrap: string
  /** The file to which it writes what happens. Programs in the sandbox do not get it. */
  readonly status: string
}

/**
 * Starts bwrap with a file for its status, which only a shell can open, and without files that were open in the shell of
 * the user. Paths are its arguments, never part of its code.
 */
const START = 'exec "$@" 3>"$0" 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-'

/** Turns a program into one that bwrap starts in a sandbox. */
function sandboxedInvocation(program: Invocation, sandbox: Sandbox, { bwrap, status }: BwrapFiles): Invocation {
  const { command, env, ...rest } = program
  const inside = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const options = [...sandbox.args, '--json-status-fd', '3', '--', ...inside]
  return {
    ...rest,
    command: ['/bin/sh', '-c', START, status, bwrap, ...options],
    env: { ...sandbox.env, ...env },
  }
}

/** Whether the program itself was started: bwrap reports an exit code only then, whatever the program prints. */
async function hasStarted(status: string, host: Host): Promise<boolean> {
  const bytes = await host.files.read(status).catch(() => new Uint8Array())
  return new TextDecoder().decode(bytes).includes('"exit-code"')
}

const CANNOT_EXECUTE = /^bwrap: execvp (.*)$/m
const SETTINGS =
  'allow user namespaces for bwrap (see "Run agents in a sandbox" in the guide to coding agents), or remove `sandbox`'

/** Describes the error of bwrap. The program has printed nothing: it was not started. */
function startError(end: ProgramEnd): NoAnswer {
  const [, reason] = CANNOT_EXECUTE.exec(end.stderr) ?? []
  if (reason === undefined) {
    const message = `the sandbox could not be created${describeStderr(end, ': ')}; ${SETTINGS}`
    return new NoAnswer('sandbox-failed', message)
  }
  const hint = 'add what it needs to `readable`'
  return new NoAnswer('program-missing', `the program could not be started in the sandbox: ${reason}; ${hint}`)
}
