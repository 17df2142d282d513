import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LineProgram, RunningProgram } from '../../model/host.ts'
import { drain, groupOptions, kill, terminate, track } from './program-group.ts'
import { OutputLines } from './program-output.ts'

/** Starts a program that reads and writes lines while it runs. Throws when it cannot be started. */
export async function startProgram(program: LineProgram, inherited: NodeJS.ProcessEnv): Promise<RunningProgram> {
  const [file = '', ...args] = program.command
  const options = groupOptions(program.cwd, inherited, program.env)
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines = new OutputLines(program.maxLineBytes, program.onLine)
  let stderrLength = 0
  child.stdout.on('data', (chunk: Buffer) => {
    if (!lines.add(chunk)) kill(child, 'SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrLength += text.length
    program.onStderr(text)
  })
  // The program may close its stdin, or end while it is written to.
  child.stdin.on('error', () => {})
  child.on('exit', () => {
    kill(child, 'SIGKILL')
    drain(child, () => lines.total + stderrLength)
  })
  const ended = new Promise<Awaited<RunningProgram['ended']>>(resolve => {
    child.on('close', (code, signal) => {
      lines.end()
      resolve({ code: code ?? undefined, signal: signal ?? undefined, tooLarge: lines.tooLarge })
    })
  })
  await once(child, 'spawn')
  child.on('error', () => {})
  track(child)
  return {
    send: line => void child.stdin.write(`${line}\n`),
    endInput: () => void child.stdin.end(),
    stop: () => terminate(child),
    ended,
  }
}
