import { extname, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { NoRun } from '../record/find-run.ts'
import { reporters } from '../report/index.ts'
import type { Reporter } from '../report/reporter.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** Says before the run what could not be written after it. */
export async function checkOutputs(files: readonly string[] = [], host: Host): Promise<void> {
  for (const file of files) {
    reporterFor(file)
    const stat = await host.stat(resolve(host.cwd, file)).catch(() => undefined)
    if (stat?.kind === 'folder') throw new NoRun(`Cannot write ${file}: it is a folder.`)
  }
}

/** Writes each report that was asked for. */
export async function writeOutputs(files: readonly string[] = [], run: RunReader, host: Host): Promise<void> {
  for (const file of files) {
    const path = resolve(host.cwd, file)
    try {
      await host.write(path, chunks(reporterFor(file).render(run)))
      terminal.err(`wrote ${shownPath(path)}\n`)
    } catch (error) {
      throw new NoRun(`Cannot write ${file}: ${(error as Error).message}`)
    }
  }
}

function reporterFor(file: string): Reporter {
  const reporter = reporters.find(({ type }) => extname(file) === `.${type}`)
  if (reporter) return reporter
  const endings = reporters.map(({ type }) => `.${type}`).join(', ')
  throw new NoRun(`Cannot write ${file}: the endings are ${endings}.`)
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
