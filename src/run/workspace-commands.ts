import { dirname } from 'node:path'
import { quoteCode } from '../lib/text/quote.ts'
import { NoAnswer } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import { type Commands, commandLines, SUITE_FOLDER_VARIABLE } from '../model/commands.ts'
import type { Host, ProgramEnd } from '../model/host.ts'
import { describeOutput, describeStartError, WITHOUT_GIT_VARIABLES } from '../model/program.ts'
import type { Target } from '../model/target.ts'

const SETUP_SECONDS = 300
const TEARDOWN_SECONDS = 60

/** The longest line of output, and the number of last lines that are kept. */
const LONGEST_LINE_BYTES = 1024 * 1024
const LINES_KEPT = 40

/** The commands around an agent, in the order in which they run. */
export interface WorkspaceSteps {
  readonly setup: readonly Commands[]
  readonly teardown: readonly Commands[]
  /** Environment variables for the commands. */
  readonly env?: Readonly<Record<string, string>>
}

/** Returns the commands of a target. */
export function targetSteps({ provider, config }: Target): WorkspaceSteps {
  const commands = provider.files?.commands?.(config)
  return { setup: present(commands?.setup), teardown: present(commands?.teardown) }
}

/** Returns the commands of an attempt: the setup of the target is first, and its teardown last. */
export function attemptSteps({ suite, test, target }: Attempt): WorkspaceSteps {
  const { setup, teardown } = targetSteps(target)
  return {
    setup: [...setup, ...present(test.execution.setup ?? suite.execution.setup)],
    teardown: [...present(test.execution.teardown ?? suite.execution.teardown), ...teardown],
    env: { [SUITE_FOLDER_VARIABLE]: dirname(suite.file) },
  }
}

/** Runs setup and teardown in workspaces. */
export class WorkspaceCommands {
  readonly #steps: WorkspaceSteps
  readonly #host: Host
  readonly #warn: (message: string) => void
  /** Workspaces in which teardown has not run yet. */
  readonly #open = new Set<string>()

  constructor(steps: WorkspaceSteps, host: Host, warn: (message: string) => void) {
    this.#steps = steps
    this.#host = host
    this.#warn = warn
  }

  get hasSetup(): boolean {
    return this.#steps.setup.length > 0
  }

  /** Registers a workspace, in which teardown must run from now on. */
  open(folder: string): void {
    if (this.#steps.teardown.length > 0) this.#open.add(folder)
  }

  #around(folder: string) {
    return { folder, env: this.#steps.env ?? {}, host: this.#host }
  }

  /** Throws `NoAnswer` if a command fails. */
  async setup(folder: string, signal: AbortSignal): Promise<void> {
    for (const commands of this.#steps.setup) {
      const problem = await runCommands(commands, { ...this.#around(folder), seconds: SETUP_SECONDS, signal })
      signal.throwIfAborted()
      if (problem !== undefined) throw new NoAnswer('setup-failed', `setup: ${problem}`)
    }
  }

  /** Runs teardown in a workspace, or in all that are open. A failure is a warning. */
  async teardown(folders: Iterable<string> = [...this.#open]): Promise<void> {
    for (const folder of folders) {
      if (!this.#open.delete(folder)) continue
      for (const commands of this.#steps.teardown) {
        const { signal } = this.#host.clock.createAbortController()
        const problem = await runCommands(commands, { ...this.#around(folder), seconds: TEARDOWN_SECONDS, signal })
        if (problem !== undefined) this.#warn(`teardown: ${problem}`)
      }
    }
  }
}

function present(commands: Commands | undefined): readonly Commands[] {
  return commands === undefined ? [] : [commands]
}

interface CommandContext {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Time limit, unless the commands have their own. */
  readonly seconds: number
  readonly host: Host
  readonly signal: AbortSignal
}

/** Runs command lines until one fails; describes the failure. */
async function runCommands(commands: Commands, { seconds, ...context }: CommandContext) {
  const { lines, timeout_seconds = seconds } = commandLines(commands)
  const own = new AbortController()
  const callOff = context.host.clock.setTimer(timeout_seconds * 1000, () => own.abort())
  try {
    for (const line of lines) {
      const signal = AbortSignal.any([context.signal, own.signal])
      const problem = await runLine(line, { ...context, signal })
      if (own.signal.aborted && problem !== undefined)
        return `${quoteCode(line)} did not end within ${timeout_seconds} s${problem.output}; set \`timeout_seconds\` to allow more time`
      if (problem) return `${quoteCode(line)} ${problem.what}${problem.output}`
    }
    return undefined
  } finally {
    callOff()
  }
}

/** How a command failed, and the end of its output. */
interface CommandFailure {
  readonly what: string
  readonly output: string
}

async function runLine(
  command: string,
  { folder: cwd, env: own, host, signal }: Omit<CommandContext, 'seconds'>,
): Promise<CommandFailure | undefined> {
  if (signal.aborted) return { what: 'was not started', output: '' }
  const printed: string[] = []
  const onLine = (line: string) => {
    printed.push(line)
    if (printed.length > LINES_KEPT) printed.shift()
  }
  const env = { ...WITHOUT_GIT_VARIABLES, ...own }
  const program = { command, cwd, env, maxOutputBytes: LONGEST_LINE_BYTES, onLine, signal }
  try {
    return failureOf(await host.processes.run(program), printed)
  } catch (error) {
    const what = describeStartError(error as NodeJS.ErrnoException, command) ?? String((error as Error).message)
    return { what: `failed: ${what}`, output: '' }
  }
}

function failureOf(end: ProgramEnd, printed: readonly string[]): CommandFailure | undefined {
  if (end.code === 0) return undefined
  const what = end.tooLarge
    ? 'printed a line longer than 1 MB'
    : end.code === undefined
      ? `was ended by ${end.signal}`
      : `ended with exit code ${end.code}`
  const output = `${describeOutput('stderr', end.stderr)}${describeOutput('stdout', printed.join('\n'))}`
  return { what, output }
}
