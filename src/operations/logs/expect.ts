import type { MappingNode } from 'js-yaml'
import { plural } from '../../lib/text/format.ts'
import { setExpected } from '../../log/edit-log.ts'
import { type Log, LogError, runsOf, type Turn } from '../../log/log.ts'
import { findLog, type OpenLogs } from './find-logs.ts'

export interface ExpectOptions {
  /** From 1; needed where the log has several turns. */
  readonly turn?: number | undefined
  /** The expected answer. Default: the last one that was given. */
  readonly text?: string | undefined
  /** Takes the answer of this run. */
  readonly from_run?: number | undefined
}

export interface Expectation {
  readonly log: Log
  /** The turn, from 1. */
  readonly turn: number
  readonly text: string
  /** The file of the log. */
  readonly file: string
}

/** Writes the expected answer of a turn into its log. */
export async function expectAnswer(name: string, options: ExpectOptions, logs: OpenLogs): Promise<Expectation> {
  const { folder } = logs
  const log = await findLog(name, logs)
  const { turn, number } = turnOf(log, options.turn)
  const text = options.text ?? outputOf(log, turn, options.from_run)
  await folder.edit(log.name, (root: MappingNode) => setExpected(root, number, text))
  return { log, turn: number, text, file: folder.fileOf(log.name) }
}

function turnOf({ name, turns }: Log, wanted: number | undefined): { turn: Turn; number: number } {
  const number = wanted ?? 1
  const turn = turns[number - 1]
  if (!turn) throw new LogError(`${name} has no turn ${number}: it has ${plural(turns.length, 'turn')}.`)
  if (wanted === undefined && turns.length > 1)
    throw new LogError(`${name} has ${plural(turns.length, 'turn')}: choose one with \`--turn\`, from 1.`)
  return { turn, number }
}

function outputOf({ name }: Log, turn: Turn, run: number | undefined): string {
  const found = run === undefined ? turn : runsOf(turn).find(each => each.run === run)
  if (!found) throw new LogError(`${name} has no run ${run} of this turn.`)
  if (found.output === undefined || found.output === '')
    throw new LogError(
      `${name} has no output ${run === undefined ? 'yet' : `in run ${run}`}: set the expected one with \`--text\`.`,
    )
  return found.output
}
