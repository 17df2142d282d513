import { join, resolve } from 'node:path'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { UserError } from '../model/user-error.ts'
import type { Reporter, ReportOptions } from '../report/reporter.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** Writes a report that is one file; where a link has its name, the file that it leads to. */
export async function writeFile(reporter: Reporter, run: RunReader, file: string, host: Host): Promise<void> {
  const named = resolve(host.cwd, file)
  const path = (await host.files.realPath(named).catch(() => undefined)) ?? named
  await orSay(file, () => host.files.write(path, chunks(textOf(reporter, run))))
  terminal.err(`wrote ${printableLine(shownPath(path))}\n`)
}

/** The text of a report that is one file. */
export function* textOf(reporter: Reporter, run: RunReader): Generator<string> {
  for (const { text } of reporter.render(run)) yield* text
}

/** Writes a report of many files into a new folder, beside those that are there; false where it has no files. */
export async function writeFolder(
  reporter: Reporter,
  run: RunReader,
  asked: ReportOptions,
  folder: string,
  host: Host,
): Promise<boolean> {
  const files = reporter.render(run, asked)[Symbol.iterator]()
  let next = files.next()
  if (next.done) {
    terminal.err('There is nothing to write.\n')
    return false
  }
  const path = await orSay(folder, () => newFolder(resolve(host.cwd, folder), reporter.folder ?? reporter.type, host))
  try {
    for (; !next.done; next = files.next()) {
      const { path: file = '', text } = next.value
      await orSay(folder, () => host.files.write(join(path, file), chunks(text)))
    }
  } catch (error) {
    // Half a report would be taken for a whole one.
    await host.files.remove(path).catch(() => {})
    throw error
  }
  terminal.err(`wrote ${printableLine(shownPath(path))}\n`)
  return true
}

/** `iteration-3` where the highest number that is taken is 2. */
async function newFolder(parent: string, name: string, host: Host): Promise<string> {
  const taken = (await host.files.listNames(parent)).flatMap(each =>
    each.startsWith(`${name}-`) ? numberOf(each.slice(name.length + 1)) : [],
  )
  let number = Math.max(0, ...taken) + 1
  while (!(await host.files.makeFolder(join(parent, `${name}-${number}`)))) number++
  return join(parent, `${name}-${number}`)
}

/** Names with a number of absurd length are not ours. */
function numberOf(text: string): number[] {
  return /^\d{1,9}$/.test(text) ? [Number(text)] : []
}

/** What stands in the way of writing is the user's business, and said in words. */
export async function orSay<Made>(place: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`Cannot write ${place}: ${(error as Error).message}`)
  }
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
