import { resolve } from 'node:path'
import { isMapping } from '../../lib/is-mapping.ts'
import { parseJson } from '../../lib/parse-json.ts'
import type { Answer } from '../../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../../model/answer-limit.ts'
import type { ProgramEnd } from '../../model/host.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import { endWords, lastWords } from '../../model/program-words.ts'
import type { AskContext } from '../provider.ts'
import type { AgentEvents } from './agent-events.ts'
import { type Started, startProgram } from './run-program.ts'

/** All lines together: as many as the largest answer times this. */
const MOST_OUTPUT = 10 * LARGEST_ANSWER_BYTES

/** Runs an agent, and reads its events as it prints them. It is ended when it need not go on. */
export async function runAgent(program: Started, events: AgentEvents, context: AskContext): Promise<Answer> {
  const { host, signal } = context
  const stop = new AbortController()
  const forward = () => stop.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', forward)
  let length = 0
  const onLine = (line: string) => {
    length += line.length
    if (length > MOST_OUTPUT) stop.abort(new NoAnswer('output-too-large', 'the agent printed more than 100 MB'))
    const event = parseJson(line)
    // What is no event was printed by something else.
    if (isMapping(event) && !stop.signal.aborted) events.read(event, host.elapsed())
    if (events.isDone) stop.abort(DONE)
  }
  try {
    const end = await startProgram({ ...program, onLine }, { ...context, signal: stop.signal }).catch(done)
    if (end && !events.hasEnded) throw unfinished(end)
    return events.answer()
  } finally {
    signal.removeEventListener('abort', forward)
  }
}

const DONE = Symbol('done')

function done(error: unknown): undefined {
  if (error !== DONE) throw error
}

function unfinished(end: ProgramEnd): NoAnswer {
  if (end.code !== 0) return new NoAnswer('program-failed', `the agent ${endWords(end)}`)
  return new NoAnswer('bad-response', `the agent ended without saying how${lastWords(end)}`)
}

/** A program that is named by its path is found from the folder of the targets. */
export function agentProgram(command: string, home: string): string {
  return /[\\/]/.test(command) ? resolve(home, command) : command
}
