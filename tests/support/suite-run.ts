import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Result as Recorded } from '../../src/model/result.ts'
import { assay } from './in-process.ts'
import { folderWith, type Result, run } from './program.ts'

export type { Recorded }

const folders = new Set<string>()

/** A folder with a suite, its targets, and its own folder for temporary files. */
export function suiteFolder(
  suite: { tests: readonly object[] },
  targets: readonly object[],
  files: Record<string, string | Uint8Array> = {},
): string {
  const folder = folderWith({
    // JSON is YAML.
    'EVAL.yaml': JSON.stringify({ name: 'agents', ...suite }),
    '.assay/targets.yaml': JSON.stringify({ targets }),
    ...files,
  })
  mkdirSync(join(folder, 'tmp'))
  folders.add(folder)
  return folder
}

/** An environment variable that marks every process of a run in the folder. */
export function markerEnv(folder: string): { TMPDIR: string } {
  return { TMPDIR: join(folder, 'tmp') }
}

/** Runs `assay eval` in a folder, with its own temporary files. */
export function evaluate(folder: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return assay(['eval', ...args], { cwd: folder, env: { ...env, ...markerEnv(folder) } })
}

/** The folder of the last run. */
export function runFolder(folder: string): string {
  const runs = join(folder, '.assay/runs')
  return join(runs, readFileSync(join(runs, 'latest'), 'utf8').trim())
}

/** The results of the last run, in the order of the file. */
export function resultsIn(folder: string): Recorded[] {
  return recordsIn(join(runFolder(folder), 'results.jsonl'))
}

/** The records of a file, without an incomplete last line. */
export function recordsIn<Record>(path: string): Record[] {
  return linesOf(path).map(line => JSON.parse(line))
}

/** The complete lines of a file; empty if it does not exist. */
export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}

/** Running processes of the folder, found by environment and arguments; without /proc by arguments only. */
export async function processesOf(folder: string): Promise<string[]> {
  if (existsSync('/proc/self')) {
    const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
    return pids.filter(pid => ['cmdline', 'environ'].some(part => textOf(`/proc/${pid}/${part}`).includes(folder)))
  }
  const { stdout } = await run('ps', ['-Ao', 'pid=,args='], { cwd: '/' })
  return stdout.split('\n').filter(line => line.includes(folder))
}

/** The text of a file in /proc; empty if the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Kills processes that a failed test left behind. */
export async function endLeftovers(): Promise<void> {
  for (const folder of folders) {
    for (const line of await processesOf(folder)) {
      try {
        process.kill(Number.parseInt(line, 10), 'SIGKILL')
      } catch {
        // The process has ended.
      }
    }
  }
  folders.clear()
}

/** Waits until no process of the folder is left. */
export function expectNoProcesses(folder: string): Promise<void> {
  return expect.poll(() => processesOf(folder), { timeout: 60_000 }).toEqual([])
}

/** The remaining temporary files. */
export function temporaryFiles(folder: string): string[] {
  return readdirSync(join(folder, 'tmp'))
}
