import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { TestRedis } from '../../support/external/redis.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith, PROGRAM, type Result } from '../../support/program.ts'

/** A command that runs in the background. */
export class RunningCommand {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const { FORCE_COLOR, NO_COLOR, ...clean } = process.env
    this.child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { ...clean, ...env } })
    this.child.stdout?.on('data', chunk => {
      this.stdout += chunk
    })
    this.child.stderr?.on('data', chunk => {
      this.stderr += chunk
    })
    this.ended = new Promise(resolve => this.child.on('close', code => resolve(code)))
    started.add(this)
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal)
    return this.ended
  }

  /** Waits until stderr matches the pattern. */
  async prints(pattern: RegExp): Promise<void> {
    await until(() => pattern.test(this.stderr) || this.child.exitCode !== null)
    if (!pattern.test(this.stderr)) throw new Error(`the command ended without printing ${pattern}:\n${this.stderr}`)
  }
}

const started = new Set<RunningCommand>()

/** Kills commands that a test left running. */
export async function endStarted(): Promise<void> {
  for (const each of started) if (each.child.exitCode === null && each.child.signalCode === null) await each.kill()
  started.clear()
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 180_000; waited += 20) {
    if (await holds()) return
    await sleep(20)
  }
  throw new Error('the condition did not hold within 180 s')
}

/** A repository, and copies of it for workers. */
export class Checkouts {
  readonly folder: string

  constructor(files: Record<string, string>) {
    this.folder = folderWith({ '.git/HEAD': '', ...files })
  }

  copy(): string {
    const copy = folderWith()
    cpSync(this.folder, copy, { recursive: true, filter: path => !path.includes('.assay/runs') })
    return copy
  }

  coordinate(redis: TestRedis, ...args: readonly string[]): RunningCommand {
    return this.coordinateAt(redis.url, ...args)
  }

  coordinateAt(url: string, ...args: readonly string[]): RunningCommand {
    return new RunningCommand(['eval', '--queue', url, ...args], this.folder, {})
  }

  /** Runs a coordinator to its end in this process, for tests that do not interrupt it. */
  coordinated(redis: TestRedis, ...args: readonly string[]): Promise<Result> {
    return assay(['eval', '--queue', redis.url, ...args], { cwd: this.folder })
  }

  work(redis: TestRedis, options: WorkOptions = {}): RunningCommand {
    return this.workAt(redis.url, options)
  }

  workAt(url: string, { args = [], cwd = this.copy(), env = {} }: WorkOptions): RunningCommand {
    return new RunningCommand(['worker', '--queue', url, '--lease', '2', ...args], cwd, env)
  }

  /** The folder of the newest run. */
  run(): string {
    const runs = join(this.folder, '.assay/runs')
    return join(runs, readFileSync(join(runs, 'latest'), 'utf8').trim())
  }

  results(): Recorded[] {
    const runs = join(this.folder, '.assay/runs')
    if (!existsSync(runs) || !readdirSync(runs).includes('latest')) return []
    const file = join(this.run(), 'results.jsonl')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line))
  }
}

interface WorkOptions {
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

export type Recorded = Record<string, unknown> & {
  readonly test_id: string
  readonly verdict: string
  readonly worker?: string
}

/** For tests that count requests: on a busy machine a worker may be silent for longer than two seconds. */
export const PATIENT = ['--lease', '60']

/** Sends a message to the coordinator of a run, as a worker would. */
export async function sendMail(client: Redis, run: string, message: unknown): Promise<void> {
  await client.xadd(`assay:${run}:mail`, '*', 'message', JSON.stringify(message))
}

/** A suite of tests that ask for a number; every fifth test fails. */
export function numbers(count: number, more: object = {}): string {
  const tests = Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    criteria: 'Says it',
    input: `Say ${index}, my secret prompt`,
    assert: [{ type: 'contains', value: index % 5 === 4 ? 'never said' : String(index) }],
  }))
  return JSON.stringify({ name: 'numbers', ...more, tests })
}

/** A targets file with one http target. */
export function httpTarget(url: string, more: object = {}): string {
  const target = {
    name: 'default',
    provider: 'http',
    url,
    body: { prompt: '{{prompt}}' },
    response: { text: 'text' },
    ...more,
  }
  return JSON.stringify({ targets: [target] })
}
