import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program, ProgramEnd } from '../../model/host.ts'
import { drain, groupOptions, kill, terminate, track } from './program-group.ts'
import { LimitedOutput, OutputLines, OutputTail } from './program-output.ts'

const STDERR_KEPT = 64 * 1024

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

/** Starts a program as the leader of its own process group, which can be killed as one. */
function start({ command, cwd, env, stdin = '' }: Program, inherited: NodeJS.ProcessEnv): ChildProcess {
  const input = stdin === '' ? 'ignore' : inputFile(stdin)
  const options: SpawnOptions = { ...groupOptions(cwd, inherited, env), stdio: [input, 'pipe', 'pipe'] }
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
