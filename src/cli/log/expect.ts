import type { MappingNode } from 'js-yaml'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { setExpected } from '../../log/edit-log.ts'
import { type Log, LogError, runsOf, type Turn } from '../../log/log.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { findLog, type LogOptions, withFoundLogs } from './open-logs.ts'

interface ExpectOptions extends LogOptions {
  readonly turn?: number
  readonly text?: string
  readonly fromRun?: number
}

/** `assay log expect`: writes down what an answer should be. With that, a log is an eval. */
export function logExpect(name: string, options: ExpectOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder }) => {
    const log = await findLog(name, folder)
    const { turn, number } = turnOf(log, options.turn)
    const text = options.text ?? outputOf(log, turn, options.fromRun)
    await folder.edit(log.name, (root: MappingNode) => setExpected(root, number, text))
    const place = log.turns.length > 1 ? `turn ${number} of ${log.name}` : log.name
    terminal.out(
      `${printableLine(`${place} expects: ${text}`)}\nwrote ${printableLine(shownPath(folder.fileOf(log.name)))}\n`,
    )
    return EXIT.ok
  })
}

function turnOf({ name, turns }: Log, wanted: number | undefined): { turn: Turn; number: number } {
  const number = wanted ?? 1
  const turn = turns[number - 1]
  if (!turn) throw new LogError(`${name} has no turn ${number}: it has ${plural(turns.length, 'turn')}.`)
  if (wanted === undefined && turns.length > 1)
    throw new LogError(`${name} has ${plural(turns.length, 'turn')}: say with \`--turn\` which one, from 1.`)
  return { turn, number }
}

function outputOf({ name }: Log, turn: Turn, run: number | undefined): string {
  const found = run === undefined ? turn : runsOf(turn).find(each => each.run === run)
  if (!found) throw new LogError(`${name} has no run ${run} of this turn.`)
  if (found.output === undefined || found.output === '')
    throw new LogError(
      `${name} has no output ${run === undefined ? 'yet' : `in run ${run}`}: say with \`--text\` what is expected.`,
    )
  return found.output
}
