import type { ChildProcess, SpawnOptions } from 'node:child_process'

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000

/** The interval of checks for output after the exit, and the number of checks without output before giving up. */
const DRAIN_MS = 100
const IDLE_CHECKS = 3

/** The most checks in total: the output of the program itself is read long before. */
const MOST_CHECKS = 20

/** The running process groups, which are killed when this process exits. */
const groups = new Set<ChildProcess>()

/** Kills all running programs. */
function killAllPrograms(): void {
  for (const child of groups) kill(child, 'SIGKILL')
}

/** Variables that programs do not get: the queue's URL has a password. */
const NOT_HANDED_ON = { ASSAY_QUEUE: undefined }

type Variables = Readonly<Record<string, string | undefined>>

/** Options that make a program the leader of its own process group, which can be killed as one. */
export function groupOptions(cwd: string, inherited: NodeJS.ProcessEnv, env: Variables = {}): SpawnOptions {
  return { cwd, env: { ...inherited, ...NOT_HANDED_ON, ...env }, detached: process.platform !== 'win32' }
}

/** Has a program killed when this process exits, until it is closed. */
export function track(child: ChildProcess): void {
  if (groups.size === 0 && !process.listeners('exit').includes(killAllPrograms)) {
    // Before temporary folders are removed, in which programs may still write.
    process.prependListener('exit', killAllPrograms)
  }
  groups.add(child)
  child.on('close', () => groups.delete(child))
}

/** Asks a program and what it has started to end, and kills them if they do not. */
export function terminate(child: ChildProcess): void {
  kill(child, 'SIGTERM')
  const timer = setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS)
  child.on('close', () => clearTimeout(timer))
}

export function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // The group has no processes left.
  }
}

/** Closes the output after the exit, even if a process that left the group still holds it open. */
export function drain(child: ChildProcess, bytes: () => number): void {
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
