import { resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { NoRun } from '../record/find-run.ts'
import type { Reporter } from '../report/reporter.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** Writes a report that is one file. */
export async function writeFile(reporter: Reporter, run: RunReader, file: string, host: Host): Promise<void> {
  const path = resolve(host.cwd, file)
  try {
    await host.write(path, chunks(textOf(reporter, run)))
    terminal.err(`wrote ${shownPath(path)}\n`)
  } catch (error) {
    throw new NoRun(`Cannot write ${file}: ${(error as Error).message}`)
  }
}

/** The text of a report that is one file. */
export function* textOf(reporter: Reporter, run: RunReader): Generator<string> {
  for (const { text } of reporter.render(run)) yield* text
}

/** Small texts joined, so that each write is worth it. */
async function* chunks(texts: Iterable<string>): AsyncGenerator<string> {
  let joined = ''
  for (const text of texts) {
    joined += text
    if (joined.length < 1_000_000) continue
    yield joined
    joined = ''
  }
  yield joined
}
