import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { type ChildReport, CURRENT, type Order, type SavedInput } from './child.ts'
import type { Problem } from './try-input.ts'

export interface Finding {
  readonly index: number
  readonly problem: Problem
  readonly input: SavedInput
}

interface ChildOutcome {
  /** The index of the next input; undefined if all were run. */
  readonly next: number | undefined
  /** The input that timed out, if it is not reported yet. */
  readonly late?: Finding
}

const POLL_MS = 200
const LAUNCH = join(ROOT, 'tests/fuzz/harness/launch.mjs')

/** Runs one child until it ends or an input times out, which kills it. */
export async function watchChild(
  program: string,
  order: Order,
  hang_ms: number,
  listener: {
    outcomes(outcomes: ChildReport['outcomes']): void
    finding(finding: Finding): void
    late?(finding: Finding): void
  },
): Promise<ChildOutcome> {
  const temporary = join(order.folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  rmSync(join(order.folder, CURRENT), { force: true })
  const child = fork(LAUNCH, [program, JSON.stringify(order)], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let last = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      last = `${last}${chunk}`.slice(-5000)
    })
  child.on('message', ({ outcomes, problem }: ChildReport) => {
    listener.outcomes(outcomes)
    if (problem) listener.finding(problem)
  })
  let hangs = false
  const watch = setInterval(() => {
    hangs = isOld(join(order.folder, CURRENT), hang_ms)
    if (hangs) child.kill('SIGKILL')
  }, POLL_MS)
  const [code, signal] = await once(child, 'close')
  clearInterval(watch)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
  if (code === 0) return { next: undefined }
  const current = currentIn(order.folder)
  if (!current) throw new Error(`the child did not start: ${last}`)
  const next = current.index + 1
  if (hangs) {
    const late = { ...current, problem: { kind: 'hang' as const, message: `took longer than ${hang_ms / 1000} s` } }
    listener.late?.(late)
    return listener.late ? { next } : { next, late }
  }
  const message = `the child ended with ${signal ?? code}: ${last}`
  listener.finding({ ...current, problem: { kind: 'crash', message } })
  return { next }
}

function currentIn(folder: string): { index: number; input: SavedInput } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, CURRENT), 'utf8'))
  } catch {
    return undefined
  }
}

function isOld(file: string, ms: number): boolean {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && Date.now() - changed > ms
}
