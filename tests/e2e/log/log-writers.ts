import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { folderWith } from '../../support/program.ts'
import type { WriterOrder } from './log-writer.ts'

export interface Writer {
  /** Starts it. */
  go(): void
  readonly child: ChildProcess
  /** How it ended, and what it said. */
  readonly ended: Promise<{ code: number | null; signal: string | null; stderr: string }>
}

/** The writer as a program of its own, since only the tests know how to read our sources. */
export async function buildWriter(): Promise<string> {
  const outfile = join(folderWith(), 'writer.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'log-writer.ts')],
    outfile,
    bundle: true,
    // Commands that the helpers import load the report page; a writer never does.
    external: ['assay:report-page'],
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'error',
  })
  return outfile
}

/** Starts a writer, which waits until it may go. */
export async function startWriter(program: string, order: WriterOrder): Promise<Writer> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)])
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }))
  await once(child.stdout, 'data')
  return { child, ended, go: () => child.stdin.write('go\n') }
}
