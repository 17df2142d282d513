import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Result as Recorded } from '../../src/model/result.ts'
import { assay } from './in-process.ts'
import { folderWith, type Result, run } from './program.ts'

export type { Recorded }

const folders = new Set<string>()

/** A folder with a suite and its targets; the prompts and answers in it may be anything. */
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

/** The variable by which every process that a run in the folder starts can be told from all others. */
export function marked(folder: string): { TMPDIR: string } {
  return { TMPDIR: join(folder, 'tmp') }
}

/** `assay eval` in a folder, with temporary files of its own. */
export function evaluate(folder: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return assay(['eval', ...args], { cwd: folder, env: { ...env, ...marked(folder) } })
}

/** The folder of the last run. */
export function runFolder(folder: string): string {
  const runs = join(folder, '.assay/runs')
  return join(runs, readFileSync(join(runs, 'latest'), 'utf8').trim())
}

/** The results of the last run, as they stand in its file. */
export function resultsIn(folder: string): Recorded[] {
  return recordsIn(join(runFolder(folder), 'results.jsonl'))
}

/** The whole lines of a file of records. */
export function recordsIn<Record>(path: string): Record[] {
  return linesOf(path).map(line => JSON.parse(line))
}

/** The lines of a file that have an end; none where there is no file. */
export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}

/** Living processes that a run in the folder has started: by their environment and arguments. */
export async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-Ao', 'pid=,args='], { cwd: '/' })
  const shown = stdout.split('\n').filter(line => line.includes(folder))
  const pids = existsSync('/proc/self') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  const found = pids.filter(pid => ['cmdline', 'environ'].some(part => textOf(`/proc/${pid}/${part}`).includes(folder)))
  return [...shown, ...found]
}

/** Nothing where a process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Ends what a test that failed has left behind. */
export async function endLeftovers(): Promise<void> {
  for (const folder of folders) {
    for (const line of await processesOf(folder)) {
      try {
        process.kill(Number.parseInt(line, 10), 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  folders.clear()
}

/** Waits until everything that was killed has gone. */
export function expectNobodyLeft(folder: string): Promise<void> {
  return expect.poll(() => processesOf(folder), { timeout: 20_000 }).toEqual([])
}

/** What is left in the folder for temporary files. Node keeps compiled code there from version 22 on. */
export function temporaryFiles(folder: string): string[] {
  return readdirSync(join(folder, 'tmp')).filter(name => name !== 'node-compile-cache')
}
