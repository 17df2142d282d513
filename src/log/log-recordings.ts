import { basename, dirname, resolve } from 'node:path'
import { redactApiKeys, redactApiKeysIn } from '../lib/redaction/api-keys.ts'
import { NoAnswer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { inputMessages } from '../model/messages/api-messages.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recording, Recordings } from '../model/recordings.ts'
import { type Log, runsOf, type TurnRun } from './log.ts'
import { LogFiles } from './log-files.ts'
import { loggedAnswer, turnId, turnMessages } from './log-turn.ts'

/** Reads the answers in a folder of logs, or in one log; undefined if there are no logs. */
export async function logRecordings(from: string, folder: string, host: Host): Promise<Recordings | undefined> {
  const path = resolve(folder, from)
  const stat = await host.files.stat(path).catch(() => undefined)
  const isFile = stat?.kind === 'file' && path.endsWith('.yaml')
  if (!isFile && !(stat?.kind === 'folder' && (await holdsLogs(path, host)))) return undefined
  const logs = new LogFiles(isFile ? dirname(path) : path, host)
  const names = isFile ? [basename(path, '.yaml')] : await logs.names().catch(noAnswer)
  const read = await Promise.all(names.map(name => logs.read(name).catch(() => undefined)))
  const found = read.flatMap(log => log ?? [])
  // Other folders contain YAML files too.
  return isFile || found.length > 0 ? new LogRecordings(logs, found) : undefined
}

function noAnswer({ message }: Error): never {
  throw new NoAnswer('no-recording', message)
}

/** Whether a folder has YAML files and is not the folder of a run. */
async function holdsLogs(path: string, host: Host): Promise<boolean> {
  const names = await host.files.listNames(path)
  return (
    names.some(name => name.endsWith('.yaml')) && !names.some(name => name === 'run.json' || name === 'results.jsonl')
  )
}

/** Finds the answers to the same inputs in the same order. */
class LogRecordings implements Recordings {
  readonly #folder: LogFiles
  readonly #turns = new Map<string, FoundTurn[]>()
  readonly test_ids: ReadonlySet<string>

  constructor(folder: LogFiles, logs: readonly Log[]) {
    this.#folder = folder
    for (const log of logs) {
      for (const index of log.turns.keys()) {
        const key = keyOf(log.turns.slice(0, index + 1).map(({ input }) => input))
        this.#turns.set(key, [...(this.#turns.get(key) ?? []), { log, index }])
      }
    }
    this.test_ids = new Set([...this.#turns.values()].flat().map(({ log, index }) => turnId(log, index)))
  }

  /** The newest run is the first trial, the one before it the second. */
  async to({ messages, test_id }: Prompt): Promise<readonly Recording[]> {
    const said = inputMessages(messages).filter(({ role }) => role === 'user')
    const turns = this.#turns.get(keyOf(said.map(({ content = '' }) => content))) ?? []
    const found =
      turns.find(({ log, index }) => turnId(log, index) === test_id) ??
      turns.find(({ log, index }) => index === log.turns.length - 1) ??
      turns[0]
    return found ? this.#recordings(found) : []
  }

  async #recordings({ log, index }: FoundTurn): Promise<Recording[]> {
    const turn = log.turns[index]
    const runs = await Promise.all((turn ? runsOf(turn) : []).map(run => this.#recording(log, index, run)))
    return runs
      .flatMap(recording => recording ?? [])
      .map((recording, earlier) => ({ ...recording, trial: earlier + 1 }))
  }

  async #recording(log: Log, index: number, turn: TurnRun) {
    const file =
      turn.run === undefined ? undefined : await this.#folder.readRun(log.name, turn.run).catch(() => undefined)
    const said = file?.messages && turnMessages(file.messages, log.turns.length)?.[index]?.after
    const answer = loggedAnswer(turn, said)
    const model = file?.model ?? log.model ?? ''
    return (
      answer && {
        request_id: '',
        test_id: turnId(log, index),
        target: model,
        answer: redactApiKeysIn({ ...answer, model }),
      }
    )
  }
}

interface FoundTurn {
  readonly log: Log
  readonly index: number
}

/** Redacts API keys, as suites made from logs do. */
function keyOf(inputs: readonly string[]): string {
  return JSON.stringify(inputs.map(redactApiKeys))
}
