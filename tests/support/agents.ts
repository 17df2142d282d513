import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerRecord } from '../../src/model/answer.ts'
import { type Evaluated, evaluate, suiteWith } from './evaluation.ts'
import { folderWith } from './program.ts'
import { type Recorded, recordsIn, runFolder } from './suite-run.ts'

export const checks = (...assert: object[]) => ({ assert })
export const TRIGGERED = { type: 'trigger_judge', skill: 'csv-report' }

/** An event as the agent prints it. */
export const event = (value: object) => JSON.stringify(value)

type Message = NonNullable<Recorded['output_messages']>[number]

/** A message without durations. */
export function withoutTimes({ tool_calls, ...message }: Message): Message {
  if (!tool_calls) return message
  return { ...message, tool_calls: tool_calls.map(({ duration_ms, ...call }) => call) }
}

/** The recorded `other_events` of a test. */
export function otherEvents({ folder }: AgentRun, id: string): unknown {
  const answers = recordsIn<AnswerRecord>(join(runFolder(folder), 'answers.jsonl'))
  return answers.find(({ test_id }) => test_id === id)?.answer.other_events
}

export const REPLAY_AGENT = join(import.meta.dirname, 'replay-agent.mjs')

export function streamPath(name: string): string {
  return join(import.meta.dirname, '../agent-streams', `${name}.jsonl`)
}

export function streamLines(name: string): string[] {
  return readFileSync(streamPath(name), 'utf8').split('\n').filter(Boolean)
}

/** A test with its own agent, which prints a stream. */
export interface AgentCase {
  readonly provider: 'claude_cli' | 'codex_cli'
  /** Name of a recorded stream, or its lines. */
  readonly stream?: string | readonly string[]
  readonly env?: Record<string, string>
  /** Other fields of the target. */
  readonly target?: object
  /** Other fields of the test. */
  readonly test?: object
}

/** Arguments, stdin and environment of a call of the stand-in. */
interface Invocation {
  readonly args: readonly string[]
  readonly stdin: string
  readonly cwd: string
  readonly config?: string
  readonly config_files: readonly string[]
  readonly credentials?: string
  readonly here: readonly string[]
  readonly reply_schema?: unknown
  readonly env: { readonly CLAUDECODE?: string; readonly EXTRA?: string }
}

export interface AgentRun {
  readonly folder: string
  readonly run: Evaluated
  record(id: string): Recorded
  /** The calls of the agent of a test, in order. */
  calls(id: string): Invocation[]
}

/** Runs all cases at once with `assay eval`. */
export async function runAgents(
  cases: Readonly<Record<string, AgentCase>>,
  files: Record<string, string | Uint8Array> = {},
  { args = [], env }: { args?: readonly string[]; env?: (folder: string) => NodeJS.ProcessEnv } = {},
): Promise<AgentRun> {
  const folder = folderWith(files)
  const streams = Object.entries(cases).map(([id, { stream = [] }]) =>
    typeof stream === 'string' ? [] : [[`streams/${id}.jsonl`, stream.map(line => `${line}\n`).join('')] as const],
  )
  const tests = Object.entries(cases).map(([id, { test }]) => ({
    id,
    input: 'Make a report',
    execution: { target: id },
    ...test,
  }))
  const targets = Object.entries(cases).map(([name, { provider, stream = [], env, target }]) => ({
    name,
    provider,
    command: REPLAY_AGENT,
    retries: 0,
    env: {
      REPLAY_STREAM: typeof stream === 'string' ? streamPath(stream) : join(folder, `streams/${name}.jsonl`),
      REPLAY_LOG: join(folder, `${name}.log`),
      ...env,
    },
    ...target,
  }))
  const all = { 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': JSON.stringify({ targets }) }
  folderWith({ ...Object.fromEntries(streams.flat()), ...all }, folder)
  const run = await evaluate(folder, args, env?.(folder))
  return {
    folder,
    run,
    record: id => {
      const record = run.results.get(id)
      if (!record) throw new Error(`no record of ${id}; ${run.stderr}`)
      return record
    },
    calls: id => {
      const log = join(folder, `${id}.log`)
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
      return lines.map(line => JSON.parse(line))
    },
  }
}
