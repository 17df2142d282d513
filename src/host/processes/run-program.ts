import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program, ProgramEnd } from '../../model/host.ts'
import { OutputLines } from './program-output.ts'

/** Time between the polite request to end and the end. */
const GRACE_MS = 1000

/** How often output is looked at after the program has ended, and how often nothing may come. */
const DRAIN_MS = 100
const IDLE_LOOKS = 3

/** And how often anything may: what the program itself wrote is long read by then. */
const MOST_LOOKS = 20

const STDERR_KEPT = 64 * 1024

/** The groups of processes that run now: none of them outlives us. */
const groups = new Set<ChildProcess>()

/** Ends all programs at once. */
function killAllPrograms(): void {
  for (const child of groups) kill(child, 'SIGKILL')
}

/** Runs a program to its end, and ends what it has started. */
export async function runProgram(program: Program, env: NodeJS.ProcessEnv = process.env): Promise<ProgramEnd> {
  const { signal, onLine, maxOutputBytes } = program
  signal.throwIfAborted()
  const child = start(program, env)
  const stdout = onLine ? new OutputLines(maxOutputBytes, onLine) : new Output(maxOutputBytes)
  const stderr = new Tail(STDERR_KEPT)
  return new Promise((resolve, reject) => {
    const end = () => terminate(child)
    child.on('error', error => {
      if (child.pid === undefined) reject(error)
    })
    if (child.pid === undefined) return
    track(child)
    signal.addEventListener('abort', end, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!stdout.add(chunk)) kill(child, 'SIGKILL')
    })
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
    child.on('exit', () => {
      kill(child, 'SIGKILL')
      drain(child, () => stdout.total + stderr.total)
    })
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', end)
      groups.delete(child)
      stdout.end()
      resolve({
        code: code ?? undefined,
        signal: killedBy ?? undefined,
        stdout: stdout.text(),
        stderr: stderr.text(),
        tooLarge: stdout.tooLarge,
      })
    })
  })
}

/** What is for us alone: programs that are tested, or judge, have no business with the queue and its password. */
const NOT_HANDED_ON = { ASSAY_QUEUE: undefined }

/** Starts a program as the leader of its own group, so that what it starts can be ended with it. */
function start({ command, cwd, env, stdin = '' }: Program, inherited: NodeJS.ProcessEnv): ChildProcess {
  const input = stdin === '' ? 'ignore' : inputFile(stdin)
  const options: SpawnOptions = {
    cwd,
    env: { ...inherited, ...NOT_HANDED_ON, ...env },
    detached: process.platform !== 'win32',
    stdio: [input, 'pipe', 'pipe'],
  }
  try {
    if (typeof command === 'string') return spawn(command, { ...options, shell: true })
    const [file = '', ...args] = command
    return spawn(file, args, options)
  } finally {
    if (input !== 'ignore') closeSync(input)
  }
}

/**
 * Opens a file with the input of a program, which has no name any more. Node's own pipes are sockets, and a program that
 * opens `/dev/stdin`, as many do, cannot open a socket.
 */
function inputFile(text: string): number {
  const path = join(tmpdir(), `assay-input-${randomUUID()}`)
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  try {
    return openSync(path, 'r')
  } finally {
    unlinkSync(path)
  }
}

function track(child: ChildProcess): void {
  if (groups.size === 0 && !process.listeners('exit').includes(killAllPrograms)) {
    // Before temporary folders are removed, in which programs may still write.
    process.prependListener('exit', killAllPrograms)
  }
  groups.add(child)
}

function terminate(child: ChildProcess): void {
  kill(child, 'SIGTERM')
  const timer = setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS)
  child.on('close', () => clearTimeout(timer))
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

/** What holds the output open after the program has left its group and ended is not waited for. */
function drain(child: ChildProcess, bytes: () => number): void {
  let seen = bytes()
  let idle = 0
  let looks = 0
  const timer = setInterval(() => {
    idle = bytes() === seen ? idle + 1 : 0
    seen = bytes()
    if (idle < IDLE_LOOKS && ++looks < MOST_LOOKS) return
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, DRAIN_MS)
  child.on('close', () => clearInterval(timer))
}

/** Output up to a limit. */
class Output {
  readonly #chunks: Buffer[] = []
  readonly #limit: number
  total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** False when it is too much. */
  add(chunk: Buffer): boolean {
    this.total += chunk.length
    if (!this.tooLarge) this.#chunks.push(chunk)
    return !this.tooLarge
  }

  get tooLarge(): boolean {
    return this.total > this.#limit
  }

  /** A last line needs no care. */
  end(): void {}

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** The last of an output. */
class Tail {
  #chunks: Buffer[] = []
  #length = 0
  readonly #kept: number
  total = 0

  constructor(kept: number) {
    this.#kept = kept
  }

  add(chunk: Buffer): void {
    this.total += chunk.length
    this.#length += chunk.length
    this.#chunks.push(chunk)
    if (this.#length > 2 * this.#kept) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(-this.#kept)]
      this.#length = this.#kept
    }
  }

  /** With a mark where something was cut off, which may have been the beginning of a secret. */
  text(): string {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#kept)
    if (kept.length === this.total) return kept.toString('utf8')
    const start = kept.findIndex(byte => (byte & 0xc0) !== 0x80)
    return `…${kept.subarray(start).toString('utf8')}`
  }
}
