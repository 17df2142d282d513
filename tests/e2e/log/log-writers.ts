import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { folderWith } from '../../support/program.ts'
import type { WriterOrder } from './log-writer.ts'

export interface Writer {
  /** Tells the writer to begin. */
  go(): void
  readonly child: ChildProcess
  /** Its exit code and output. */
  readonly ended: Promise<{ code: number | null; signal: string | null; stderr: string }>
}

/** Builds the writer as a separate program, since Node cannot load the sources. */
export async function buildWriter(): Promise<string> {
  const outfile = join(folderWith(), 'writer.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'log-writer.ts')],
    outfile,
    bundle: true,
    // Imported commands load pages, which a writer does not need.
    external: ['assay:*'],
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'error',
  })
  return outfile
}

/** Starts a writer, which waits for its signal to begin. */
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
