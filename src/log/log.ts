import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { asText } from '../model/messages/content-text.ts'
import { UserError } from '../model/user-error.ts'
import type { Usage } from './logged-run.ts'

/** A run of a turn; any part may be unknown. */
export interface TurnRun {
  readonly run: number | undefined
  readonly output: string | undefined
  readonly tools_called: readonly string[] | undefined
  readonly expected: string
  readonly evaluation: string
  readonly meta: Partial<Usage> & { readonly ts?: string | undefined }
}

/** A turn with its newest run and its history. */
export interface Turn extends TurnRun {
  readonly input: string
  /** The earlier runs, newest first. */
  readonly history: readonly TurnRun[]
}

/** A log, written by us or another program. */
export interface Log {
  readonly name: string
  readonly created: string | undefined
  readonly updated: string | undefined
  /** The highest number that a run has. */
  readonly runs: number
  readonly model: string | undefined
  readonly turns: readonly Turn[]
}

/** Reads a log; undefined if the value is not a log. All fields are optional. */
export function readLog(name: string, written: unknown): Log | undefined {
  if (!isMapping(written) || !Array.isArray(written['turns'])) return undefined
  const turns = written['turns'].filter(isMapping).map(readTurn)
  const numbers = turns.flatMap(turn => runsOf(turn).map(({ run }) => run ?? 0))
  return {
    name,
    created: text(written['created']),
    updated: text(written['updated']),
    runs: highestOf([runNumber(written['runs']) ?? 0, ...numbers]),
    model: text(written['model']),
    turns,
  }
}

function readTurn(turn: Record<string, unknown>): Turn {
  return { ...readTurnRun(turn), input: text(turn['input']) ?? '', history: readHistory(turn['history']) }
}

/** Reads the history, which some programs write as a JSON string. */
function readHistory(history: unknown): TurnRun[] {
  const list = typeof history === 'string' ? parseJson(history) : history
  return Array.isArray(list) ? list.filter(isMapping).map(readTurnRun) : []
}

function readTurnRun(turn: Record<string, unknown>): TurnRun {
  const calls = turn['tools_called']
  return {
    run: runNumber(turn['run']),
    output: text(turn['output']),
    tools_called: Array.isArray(calls) ? calls.flatMap(call => text(call) ?? []) : undefined,
    expected: text(turn['expected']) ?? '',
    evaluation: readEvaluation(turn),
    meta: readMeta(turn),
  }
}

/** Reads the evaluation: a text, or a verdict and reason as a mapping or as separate keys. */
function readEvaluation({ evaluation, pass, analysis, status }: Record<string, unknown>): string {
  return judgementText(evaluation) || verdictText(pass, analysis) || judgementText(status)
}

function judgementText(said: unknown): string {
  return isMapping(said) ? verdictText(said['passed'] ?? said['pass'], said['summary']) : (text(said) ?? '')
}

function verdictText(passed: unknown, why: unknown): string {
  const reason = text(why) ?? ''
  if (passed === undefined || passed === null) return reason
  const verdict = /^(true|yes|pass|passed|1)$/i.test(asText(passed)) ? 'pass' : 'fail'
  return verdict === 'pass' || reason === '' ? verdict : `fail: ${reason}`
}

/** Reads the usage from `meta`, or from the turn itself. */
function readMeta(turn: Record<string, unknown>): TurnRun['meta'] {
  const written = turn['meta']
  const said = typeof written === 'string' ? parseJson(written) : written
  const meta = isMapping(said) ? said : turn
  const figure = (key: string) => (meta[key] === undefined ? undefined : (numberOf(meta[key]) ?? null))
  const [tokens, cost, duration_ms] = [figure('tokens'), figure('cost'), figure('duration_ms')]
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
    ...(duration_ms === undefined ? {} : { duration_ms }),
    ts: text(meta['ts']),
  }
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : asText(value)
}

function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
  return Number.isFinite(number) ? number : undefined
}

/** Reads a run number; undefined if it is not from 1 to 10^15. */
function runNumber(value: unknown): number | undefined {
  const number = numberOf(value) ?? 0
  return Number.isInteger(number) && number >= 1 && number < 1e15 ? number : undefined
}

/** The maximum, also of more numbers than a function takes arguments. */
export function highestOf(numbers: readonly number[]): number {
  return numbers.reduce((highest, number) => Math.max(highest, number), 0)
}

/** All runs of a turn, newest first. */
export function runsOf(turn: Turn): readonly TurnRun[] {
  return [turn, ...turn.history]
}

/** A log that cannot be found, read or written. */
export class LogError extends UserError {
  override readonly name = 'NoLog'
}
