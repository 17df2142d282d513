import { type Log, runsOf, type TurnRun } from './log.ts'
import type { Usage } from './logged-run.ts'
import type { RunFile } from './run-file.ts'

/** A value in both runs; undefined if unknown. */
export interface BeforeAfter<Value = string> {
  readonly before: Value | undefined
  readonly after: Value | undefined
}

export interface TurnDiff {
  readonly input: string
  readonly output: BeforeAfter
  readonly tools_called: BeforeAfter<readonly string[]>
  readonly evaluation: BeforeAfter
  readonly tokens: BeforeAfter<number>
  readonly cost: BeforeAfter<number>
  readonly duration_ms: BeforeAfter<number>
}

/** The differences between two runs of a log. */
export interface LogDiff {
  readonly name: string
  readonly runs: readonly [number, number]
  readonly model: BeforeAfter
  readonly system_prompt: BeforeAfter
  readonly turns: readonly TurnDiff[]
}

/** A run of a log, with its file if there is one. */
export interface NumberedRun {
  readonly run: number
  readonly file: RunFile | undefined
}

export function diffRuns(log: Log, before: NumberedRun, after: NumberedRun): LogDiff {
  const model = ({ run, file }: NumberedRun) => file?.model ?? (run === log.runs ? log.model : undefined)
  return {
    name: log.name,
    runs: [before.run, after.run],
    model: { before: model(before), after: model(after) },
    system_prompt: { before: before.file?.system_prompt, after: after.file?.system_prompt },
    turns: log.turns.map(turn => {
      const of = ({ run }: NumberedRun) => runsOf(turn).find(each => each.run === run)
      return { input: turn.input, ...diffTurn(of(before), of(after)) }
    }),
  }
}

function diffTurn(before: TurnRun | undefined, after: TurnRun | undefined): Omit<TurnDiff, 'input'> {
  const figure = (key: keyof Usage) => ({
    before: before?.meta[key] ?? undefined,
    after: after?.meta[key] ?? undefined,
  })
  return {
    output: { before: before?.output, after: after?.output },
    tools_called: { before: before?.tools_called, after: after?.tools_called },
    evaluation: { before: before?.evaluation, after: after?.evaluation },
    tokens: figure('tokens'),
    cost: figure('cost'),
    duration_ms: figure('duration_ms'),
  }
}

/** Returns the numbers of all runs in a log, newest first. */
export function runNumbers({ turns }: Log): number[] {
  const numbers = turns.flatMap(turn => runsOf(turn).flatMap(({ run }) => run ?? []))
  return [...new Set(numbers)].sort((a, b) => b - a)
}
