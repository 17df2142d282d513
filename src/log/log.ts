import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { asText } from '../model/messages/content-text.ts'
import { UserError } from '../model/user-error.ts'
import type { Usage } from './logged-run.ts'

/** One run of a turn, as far as it is known. */
export interface TurnRun {
  readonly run: number | undefined
  readonly output: string | undefined
  readonly tools_called: readonly string[] | undefined
  readonly expected: string
  readonly evaluation: string
  readonly meta: Partial<Usage> & { readonly ts?: string | undefined }
}

/** What a user said, and what came of it in each run. */
export interface Turn extends TurnRun {
  readonly input: string
  /** The earlier runs, newest first. */
  readonly history: readonly TurnRun[]
}

/** A log as it was read, ours or that of another program. */
export interface Log {
  readonly name: string
  readonly created: string | undefined
  readonly updated: string | undefined
  /** The highest number that a run has. */
  readonly runs: number
  readonly model: string | undefined
  readonly turns: readonly Turn[]
}

/** Reads what a log says; undefined where it is none. Nothing in it has to be there. */
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

/** The earlier runs; some write them as JSON. */
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

/** A text; or, as others have it, whether it passed and why, as a mapping or beside it. */
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

/** What it took; some write that beside the rest. */
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

/** What a run can be counted by: from 1, and so that the next one has a number too. */
function runNumber(value: unknown): number | undefined {
  const number = numberOf(value) ?? 0
  return Number.isInteger(number) && number >= 1 && number < 1e15 ? number : undefined
}

/** There may be more of them than a function takes arguments. */
export function highestOf(numbers: readonly number[]): number {
  return numbers.reduce((highest, number) => Math.max(highest, number), 0)
}

/** All runs of a turn, newest first. */
export function runsOf(turn: Turn): readonly TurnRun[] {
  return [turn, ...turn.history]
}

/** A log that cannot be found, read or written, in words for people. */
export class LogError extends UserError {
  override readonly name = 'NoLog'
}
