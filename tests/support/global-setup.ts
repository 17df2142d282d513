import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Creates a parent folder for all temporary folders of the tests, and removes it at the end. */
export function setup(): () => void {
  const folder = folderInMemory() ?? folderIn(tmpdir())
  // One test reads its folder as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // Node 22 and later cache compiled code, which speeds up the start of small programs.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'node-compile-cache')
  usePythonItself()
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Tests start Python often; `python3` may be a script that first looks for it, which takes longer than Python does. */
function usePythonItself(): void {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  if (stdout) process.env['PATH'] = [dirname(stdout.trim()), process.env['PATH']].join(delimiter)
}

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4e9

/**
 * A folder in memory: runs sync every record, and on a disk the tests would mostly wait for that. Undefined where memory has
 * no file system, too little space, or runs no programs, as in many containers; and if TMPDIR names another folder.
 */
function folderInMemory(): string | undefined {
  try {
    if (process.env['TMPDIR'] !== undefined) return undefined
    removeLeftovers(MEMORY)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < ENOUGH_BYTES) return undefined
    const folder = folderIn(MEMORY)
    if (runsPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  } catch {
    // There is no such file system.
  }
  return undefined
}

/** A new folder, whose name has the id of this process. */
function folderIn(parent: string): string {
  return realpathSync(mkdtempSync(join(parent, `assay-tests-${process.pid}-`)))
}

/** Removes the folders of tests that were killed: they would take up memory until the machine restarts. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^assay-tests-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'probe')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}
