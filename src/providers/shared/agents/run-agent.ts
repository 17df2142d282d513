import { resolve } from 'node:path'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { isMapping } from '../../../lib/objects.ts'
import { type Answer, NoAnswer } from '../../../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../../../model/answer-limits.ts'
import type { Host, ProgramEnd } from '../../../model/host.ts'
import { describeExit, describeStderr } from '../../../model/program.ts'
import type { AskContext } from '../../../model/provider.ts'
import type { Invocation } from '../programs/invocation.ts'
import { runProgram } from '../programs/run-program.ts'
import type { AgentEvents } from './agent-events.ts'

/** Limit of the whole output: events repeat parts of the answer. */
const MAX_OUTPUT = 10 * LARGEST_ANSWER_BYTES

/** How long an agent may take to exit after it has reported its end. */
const GRACE_MS = 5000

/** Where an agent is stopped before its end; undefined: nowhere. */
export type StopAt = 'first_call' | undefined

/** Runs an agent and reads its events as it prints them. Stops it when its answer is complete, or at `stopAt`. */
export async function runAgent(
  program: Invocation,
  events: AgentEvents,
  context: AskContext,
  stopAt?: StopAt,
): Promise<Answer> {
  const { host, signal } = context
  const stop = new AbortController()
  const forward = () => stop.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', forward)
  const lines = new AgentLines(events, stopAt, stop, host)
  const started = { ...program, onLine: (line: string) => lines.read(line) }
  try {
    const end = await runProgram(started, { ...context, signal: stop.signal }).catch(ignoreDone)
    if (lines.isStopped) return { ...events.answer(), finish_reason: 'first_call' }
    if (end && !events.hasEnded) throw unfinishedError(end)
    if (end && end.code !== 0 && events.isCutOff) throw cutOffError(end)
    return events.answer()
  } finally {
    lines.end()
    signal.removeEventListener('abort', forward)
  }
}

const DONE = Symbol('done')

/** Reads the lines of an agent. Stops it when its answer is complete, its output too large, or its exit overdue. */
class AgentLines {
  readonly #events: AgentEvents
  readonly #stopAt: StopAt
  readonly #stop: AbortController
  readonly #host: Host
  #length = 0
  #callOff: (() => void) | undefined

  constructor(events: AgentEvents, stopAt: StopAt, stop: AbortController, host: Host) {
    this.#events = events
    this.#stopAt = stopAt
    this.#stop = stop
    this.#host = host
  }

  /** Whether the agent was stopped before its end. */
  get isStopped(): boolean {
    return this.#stop.signal.reason === DONE && !this.#events.hasEnded
  }

  read(line: string): void {
    if (this.#stop.signal.aborted) return
    try {
      this.#length += line.length
      if (this.#length > MAX_OUTPUT) throw new NoAnswer('output-too-large', 'the agent printed more than 100 MB')
      const event = parseJson(line.replace(/^\ufeff/, ''))
      // Lines that are not events come from other programs.
      if (isMapping(event)) this.#events.read(event, this.#host.clock.elapsed())
      const isCalled = this.#stopAt === 'first_call' && this.#events.hasCalls
      if (this.#events.isDone || isCalled) this.#stop.abort(DONE)
      this.#watchForEnd()
    } catch (error) {
      this.#stop.abort(error)
    }
  }

  end(): void {
    this.#callOff?.()
  }

  /** Starts the grace period once the agent has reported its end; cancels it if the agent continues. */
  #watchForEnd(): void {
    if (this.#events.hasEnded && !this.#events.goesOn)
      this.#callOff ??= this.#host.clock.setTimer(GRACE_MS, () => this.#stop.abort(DONE))
    else {
      this.#callOff?.()
      this.#callOff = undefined
    }
  }
}

function ignoreDone(error: unknown): undefined {
  if (error !== DONE) throw error instanceof NoAnswer ? rephrase(error) : error
}

/** Rewords an error about arguments: the prompt is passed on stdin, so the system prompt caused it. */
function rephrase(error: NoAnswer): NoAnswer {
  const problem = PROBLEMS[error.code]
  return problem === undefined ? error : new NoAnswer(error.code, `the system prompt ${problem}`)
}

const PROBLEMS: Partial<Record<NoAnswer['code'], string>> = {
  'prompt-too-long': 'is too long to be passed as an argument',
  'bad-prompt': 'contains a NUL character, which an argument cannot',
}

function unfinishedError(end: ProgramEnd): NoAnswer {
  if (end.code !== 0) return new NoAnswer('program-failed', `the agent ${describeExit(end)}`)
  return new NoAnswer('bad-response', `the agent exited without a final event${describeStderr(end)}`)
}

/** An earlier result is not the answer: the agent would have changed it. */
function cutOffError(end: ProgramEnd): NoAnswer {
  return new NoAnswer('program-failed', `the agent had not finished its work when it ${describeExit(end)}`)
}

/** Resolves a program that is given as a path. Relative paths start at `home`. */
export function resolveProgram(command: string, home: string): string {
  return /[\\/]/.test(command) ? resolve(home, command) : command
}

/** The number of running agents by folder. */
const agentsByFolder = new Map<string, number>()

/** Runs an agent in a folder. Warns if another one is running there. */
export async function warnIfShared<Result>(
  folder: string,
  { warn }: AskContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const others = agentsByFolder.get(folder) ?? 0
  if (others > 0)
    warn(`several attempts run in ${folder} at the same time: set \`workspace\` or \`workers: 1\` in the target`)
  agentsByFolder.set(folder, others + 1)
  try {
    return await run()
  } finally {
    const left = (agentsByFolder.get(folder) ?? 1) - 1
    if (left > 0) agentsByFolder.set(folder, left)
    else agentsByFolder.delete(folder)
  }
}
