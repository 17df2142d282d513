import { readFileSync } from 'node:fs'

/** Whether a process of this machine runs. One that has ended and only waits for its parent to notice does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** Only Linux shows it: elsewhere a process that has ended counts as running until its parent notices. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may have anything in it, also brackets.
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
  } catch {
    return false
  }
}
