import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program, ProgramEnd } from '../../model/host.ts'
import { LimitedOutput, OutputLines, OutputTail } from './program-output.ts'

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000

/** The interval of checks for output after the exit, and the number of checks without output before giving up. */
const DRAIN_MS = 100
const IDLE_CHECKS = 3

/** The most checks in total: the output of the program itself is read long before. */
const MOST_CHECKS = 20

const STDERR_KEPT = 64 * 1024

/** The running process groups, which are killed when this process exits. */
const groups = new Set<ChildProcess>()

/** Kills all running programs. */
function killAllPrograms(): void {
  for (const child of groups) kill(child, 'SIGKILL')
}

/** Runs a program to its end, and kills what it has started. */
export async function runProgram(program: Program, env: NodeJS.ProcessEnv = process.env): Promise<ProgramEnd> {
  const { signal, onLine, maxOutputBytes } = program
  signal.throwIfAborted()
  const child = start(program, env)
  const stdout = onLine ? new OutputLines(maxOutputBytes, onLine) : new LimitedOutput(maxOutputBytes)
  const stderr = new OutputTail(STDERR_KEPT)
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

/** Variables that agents and judges do not get: the queue's URL has a password. */
const NOT_HANDED_ON = { ASSAY_QUEUE: undefined }

/** Starts a program as the leader of its own process group, which can be killed as one. */
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
 * Opens an unlinked file with the input of a program. Node's own pipes are sockets, and a program that
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
    // The group has no processes left.
  }
}

/** Closes the output after the exit, even if a process that left the group still holds it open. */
function drain(child: ChildProcess, bytes: () => number): void {
  let seen = bytes()
  let idle = 0
  let checks = 0
  const timer = setInterval(() => {
    idle = bytes() === seen ? idle + 1 : 0
    seen = bytes()
    if (idle < IDLE_CHECKS && ++checks < MOST_CHECKS) return
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, DRAIN_MS)
  child.on('close', () => clearInterval(timer))
}
