import { resolve } from 'node:path'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { isMapping } from '../../../lib/objects.ts'
import { type Answer, NoAnswer } from '../../../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../../../model/answer-limits.ts'
import type { Host, ProgramEnd } from '../../../model/host.ts'
import { describeExit, describeStderr } from '../../../model/program.ts'
import type { AskContext } from '../../../model/provider.ts'
import { type Invocation, runProgram } from '../programs/run-program.ts'
import type { AgentEvents } from './agent-events.ts'

/** All lines together: as many as the largest answer times this. */
const MAX_OUTPUT = 10 * LARGEST_ANSWER_BYTES

/** How long an agent may take to go when it has said how it ended. */
const GRACE_MS = 5000

/** Runs an agent, and reads its events as it prints them. It is ended when it need not go on. */
export async function runAgent(program: Invocation, events: AgentEvents, context: AskContext): Promise<Answer> {
  const { host, signal } = context
  const stop = new AbortController()
  const forward = () => stop.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', forward)
  const lines = new AgentLines(events, stop, host)
  const started = { ...program, onLine: (line: string) => lines.read(line) }
  try {
    const end = await runProgram(started, { ...context, signal: stop.signal }).catch(ignoreDone)
    if (end && !events.hasEnded) throw unfinishedError(end)
    return events.answer()
  } finally {
    lines.end()
    signal.removeEventListener('abort', forward)
  }
}

const DONE = Symbol('done')

/** The lines of an agent, which is ended when it need not go on, prints too much, or does not go. */
class AgentLines {
  readonly #events: AgentEvents
  readonly #stop: AbortController
  readonly #host: Host
  #length = 0
  #callOff: (() => void) | undefined

  constructor(events: AgentEvents, stop: AbortController, host: Host) {
    this.#events = events
    this.#stop = stop
    this.#host = host
  }

  read(line: string): void {
    if (this.#stop.signal.aborted) return
    try {
      this.#length += line.length
      if (this.#length > MAX_OUTPUT) throw new NoAnswer('output-too-large', 'the agent printed more than 100 MB')
      const event = parseJson(line.replace(/^\ufeff/, ''))
      // What is no event was printed by something else.
      if (isMapping(event)) this.#events.read(event, this.#host.clock.elapsed())
      if (this.#events.isDone) this.#stop.abort(DONE)
      this.#expectTheEnd()
    } catch (error) {
      this.#stop.abort(error)
    }
  }

  end(): void {
    this.#callOff?.()
  }

  /** An agent that has said how it ended has answered, even if it stays. */
  #expectTheEnd(): void {
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

/** The prompt itself goes another way: it is what an agent is told besides that was too much. */
function rephrase(error: NoAnswer): NoAnswer {
  const problem = PROBLEMS[error.code]
  return problem === undefined ? error : new NoAnswer(error.code, `the system prompt ${problem}`)
}

const PROBLEMS: Partial<Record<NoAnswer['code'], string>> = {
  'prompt-too-long': 'is too long: an agent takes it as an argument',
  'bad-prompt': 'has a character that no argument can hold',
}

function unfinishedError(end: ProgramEnd): NoAnswer {
  if (end.code !== 0) return new NoAnswer('program-failed', `the agent ${describeExit(end)}`)
  return new NoAnswer('bad-response', `the agent ended without saying how${describeStderr(end)}`)
}

/** A program that is named by its path is found from the folder of the targets. */
export function resolveProgram(command: string, home: string): string {
  return /[\\/]/.test(command) ? resolve(home, command) : command
}

/** Who works in a folder at this moment, by its path. */
const agentsByFolder = new Map<string, number>()

/** Runs an agent in a folder; says so where another one works there at the same time. */
export async function warnIfShared<Result>(
  folder: string,
  { warn }: AskContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const others = agentsByFolder.get(folder) ?? 0
  if (others > 0)
    warn(`several attempts work in ${folder} at the same time: give the target a \`workspace\`, or \`workers: 1\``)
  agentsByFolder.set(folder, others + 1)
  try {
    return await run()
  } finally {
    const left = (agentsByFolder.get(folder) ?? 1) - 1
    if (left > 0) agentsByFolder.set(folder, left)
    else agentsByFolder.delete(folder)
  }
}
