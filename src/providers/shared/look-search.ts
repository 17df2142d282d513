import { join } from 'node:path'
import { cutText } from '../../lib/cut-text.ts'
import { plural } from '../../lib/plural.ts'
import { regexProblem } from '../../lib/regex-problem.ts'
import type { Host } from '../../model/host.ts'
import type { AskContext } from '../provider.ts'
import { fileText, linesOf, MOST_BYTES } from './look-file-text.ts'
import { CannotLook, type Found, findInside } from './look-inside.ts'
import { isListed } from './look-list.ts'
import { LookOutput, quoted } from './look-output.ts'

/** How long one search may take. */
const MOST_MS = 10_000

/** How much of a line is shown. */
const LONGEST_LINE = 300

export interface Query {
  readonly query: string
  /** Whether the query is a regular expression. */
  readonly regex?: boolean | undefined
  readonly path?: string | undefined
}

/** The lines below a folder of the folder, or in a file, in which something is found. */
export async function searchFiles(
  folder: string,
  { query, regex = false, path = '' }: Query,
  { host, signal }: Pick<AskContext, 'host' | 'signal'>,
): Promise<string> {
  const problem = regex ? regexProblem(query) : undefined
  if (problem !== undefined) throw new CannotLook(problem)
  const found = await findInside(folder, path, host)
  const search = new Search(text => (regex ? host.matches(query, '', text) : text.includes(query)))
  const start = host.elapsed()
  for await (const file of filesIn(found, host)) {
    await host.breathe()
    signal.throwIfAborted()
    if (host.elapsed() - start > MOST_MS) search.stop(`stopped after ${MOST_MS / 1000} s; search in one folder`)
    if (search.isStopped) break
    await search.lookInto(file, host)
  }
  return search.result
}

interface File {
  readonly path: string
  readonly name: string
}

/** Files below a folder, or the file itself. Links are not followed: what they lead to inside is found in its own place. */
async function* filesIn({ path, name, stat }: Found, host: Host): AsyncGenerator<File> {
  if (stat.kind === 'file') yield { path, name }
  const open: File[] = stat.kind === 'folder' ? [{ path, name }] : []
  for (let folder = open.pop(); folder; folder = open.pop()) {
    // A folder that may not be looked into has nothing to be found.
    const entries = await host.entries(folder.path).catch(() => [])
    const inside = ({ name }: { name: string }, { path, name: above }: File) => ({
      path: join(path, name),
      name: join(above, name),
    })
    const listed = entries.filter(isListed)
    for (const entry of listed) if (entry.kind === 'file') yield inside(entry, folder)
    for (const entry of listed.reverse()) if (entry.kind === 'folder') open.push(inside(entry, folder))
  }
}

/** One search: what was found, and what was not looked at. */
class Search {
  readonly #isFound: (line: string) => boolean | undefined
  readonly #output = new LookOutput()
  readonly #notes: string[] = []
  #files = 0
  isStopped = false

  constructor(isFound: (line: string) => boolean | undefined) {
    this.#isFound = isFound
  }

  async lookInto({ path, name }: File, host: Host): Promise<void> {
    // What is gone again, or may not be read, has nothing to be found.
    const file = await fileText(path, host).catch(() => undefined)
    if (!file) return
    this.#files++
    for (const [index, line] of linesOf(file.text).entries()) {
      const isFound = this.#isFound(line)
      if (isFound === undefined) return this.stop('stopped: the pattern takes too long; try a simpler one')
      if (isFound && !this.#output.add(`${quoted(name)}:${index + 1}: ${cutText(line.trimEnd(), LONGEST_LINE)}`)) {
        return this.stop('cut: more was found than is shown; search for less, or in one folder')
      }
    }
    if (!file.isWhole) this.#notes.push(`only the first ${MOST_BYTES} bytes of ${quoted(name)} were searched`)
  }

  stop(why: string): void {
    this.isStopped = true
    this.#notes.push(why)
  }

  get result(): string {
    const isNothing = this.#output.count === 0 && !this.isStopped
    return this.#output.with([
      ...(isNothing ? [`nothing found in ${plural(this.#files, 'file')}`] : []),
      ...this.#notes,
    ])
  }
}
